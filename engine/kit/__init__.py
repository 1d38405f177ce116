"""Parts that games are made of: none knows a game, and a game takes those it needs."""
