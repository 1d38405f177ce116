"""The service: tables, moves and letters. It knows no game by name."""
