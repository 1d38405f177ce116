"""What a visitor sees: the front page, a board to try, the rules."""
