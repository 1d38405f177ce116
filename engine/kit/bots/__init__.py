"""Parts of bots: lines tried out, their search, chance by kinds, suggestions, guesses."""
