"""The players that are programs (docs/bots.md)."""
