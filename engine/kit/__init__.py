"""Parts that several games are made of. They know no game and no service."""
