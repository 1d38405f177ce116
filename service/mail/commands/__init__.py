"""The words a player can write in a reply, each a line of its own: what they are called in both
languages, what may stand behind them, and the use case each one asks for.

A word counts only as the first of a line whose rest fits: "help" is a word, "help me think" is not.
"""
