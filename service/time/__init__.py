"""The time of a match: whose clock runs, until when, and what stops it."""
