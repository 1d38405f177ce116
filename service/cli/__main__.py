"""`python -m service.cli`: the command line without the console script."""

from service.cli import main

main(prog_name="paleopost")
