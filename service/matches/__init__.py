"""Matches: tables and seats, moves, what a reader may see, and how a match ends."""
