"""Bots: random, greedy, planner."""
