"""`python -m pipelint`."""

from pipelint.cli.program import main

if __name__ == "__main__":
    main(prog_name="pipelint")
