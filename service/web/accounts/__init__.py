"""A player: signing in, addresses, settings, the letters they want."""
