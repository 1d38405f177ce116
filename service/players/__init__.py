"""Players: their addresses, their names, and how they are written to."""
