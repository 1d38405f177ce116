"""The command line `paleopost`: one module per group of commands."""

from service.cli.root import main

__all__ = ["main"]
