"""`python -m checks …` is `theoremeter …`."""

from checks.cli import main

if __name__ == "__main__":
    raise SystemExit(main())
