"""`python -m decisionflow`."""

import sys

from decisionflow.cli import main

if __name__ == "__main__":
    sys.exit(main())
