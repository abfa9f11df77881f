"""A run by one process and then by ranks that are forks of it, so that nothing is imported anew.

`python -m tests.training.forked_ranks FOLDER RANKS` leaves the runs `alone` and `shared` in the folder.
"""

import os
import socket
import sys
import threading
import traceback
from pathlib import Path

from hansa_training import job
from hansa_training.begin import train
from tests.training.tiny import SHARED


def take_part(folder: Path, ranks: int, rank: int, port: int) -> int:
    """Be a rank of a run; returns an exit code."""
    os.environ |= {"RANK": str(rank), "WORLD_SIZE": str(ranks), "MASTER_ADDR": "localhost", "MASTER_PORT": str(port)}
    try:
        train(folder, options=SHARED)
    except BaseException:
        traceback.print_exc()
        return 1
    sys.stdout.flush()
    return 0


def main(folder: Path, ranks: int) -> int:
    job.picture = lambda points, plan: b""
    train(folder / "alone", options=SHARED)
    assert threading.active_count() == 1, threading.enumerate()
    sys.stdout.flush()
    with socket.create_server(("localhost", 0)) as free:
        port = free.getsockname()[1]
    children = []
    for rank in range(ranks):
        child = os.fork()
        if child == 0:
            os._exit(take_part(folder / "shared", ranks, rank, port))
        children.append(child)
    return max(abs(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])) for child in children)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), int(sys.argv[2])))
