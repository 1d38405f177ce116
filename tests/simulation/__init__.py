"""The whole service under one seed: a clock, a scheduler, a broker and a mail server of its own,
and faults at any place (docs/simulation.md).
"""
