"""Fire & Stone."""
