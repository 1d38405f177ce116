"""The gallery: every letter and every part of a page with sample data, for who works on them.

Never in production: its matches are made up, in a database of its own that goes with the process.
"""
