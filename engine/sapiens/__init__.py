"""Sapiens: guide a tribe through its valley (docs: the rules page; code: sections cited as
S§5.3).
"""
