"""The pages of a visitor: the front page, a board to try, the rules."""
