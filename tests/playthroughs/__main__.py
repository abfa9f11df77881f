"""`python -m tests.playthroughs --write`: what changed then shows in the difference that is committed."""

import argparse

from tests.playthroughs import write

parser = argparse.ArgumentParser(prog="python -m tests.playthroughs", description=__doc__)
parser.add_argument("--write", action="store_true", required=True, help="play and write all files anew")
parser.parse_args()
write()
