"""A match as its readers see it, its clock and its replay; and what a seat does besides playing."""
