"""A client of Weft with nothing but Python's standard library (3.9 or newer).

    from weft_client import Weft

    with Weft("http://127.0.0.1:8080") as weft:
        run = weft.start("practice-load", {"count": 2, "seconds": 0})
        run.wait(progress=True)
        print(run.outputs())

``weft_client.aio`` has the same for asyncio.
"""

from .client import Weft
from .errors import RunFailed, WeftError
from .records import FINAL_STATES, File, Job, Run, RunStatus, Table

__version__ = "0.2.0"
__all__ = ["FINAL_STATES", "File", "Job", "Run", "RunFailed", "RunStatus", "Table", "Weft", "WeftError"]
