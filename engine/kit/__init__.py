"""Kits that games are made with: each is for one concern, and knows the protocol alone.

A game takes what fits it and writes the rest itself.
"""
