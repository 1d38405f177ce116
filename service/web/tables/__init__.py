"""A table before and around its match: opened, invited to, hosted, set up once more."""
