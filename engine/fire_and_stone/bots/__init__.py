"""The players that are programs, and the suggestions made to those who are not."""
