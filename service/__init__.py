"""The service: tables, letters, pages, and the way of a move."""
