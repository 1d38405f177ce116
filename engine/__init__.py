"""Rules of the games: pure functions on values, no clock, no environment, no I/O, no sentence."""
