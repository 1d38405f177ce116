"""Links and reply addresses: what they open, and how they are made."""
