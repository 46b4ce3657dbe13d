"""python3 -m weft_client ADDRESS NETWORK INPUTS.json

Starts a network with the inputs of a file, waits for it and prints its output object as JSON. Exits with 0 if the run is
COMPLETE, otherwise with 1. Ctrl-C aborts the run. If the server requires a login, set WEFT_TOKEN to a token.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any, List, Optional
from urllib.error import URLError

from .client import Weft, plain
from .errors import WeftError


def main(arguments: Optional[List[str]] = None) -> int:
    given = sys.argv[1:] if arguments is None else arguments
    if len(given) != 3:
        print(__doc__, file=sys.stderr)
        return 2
    base, network, inputs_file = given
    try:
        with open(inputs_file, encoding="utf-8") as file:
            inputs = json.load(file)
        return run_to_end(Weft(base, token=os.environ.get("WEFT_TOKEN")), network, inputs)
    except WeftError as error:
        print(f"refused: {error}", file=sys.stderr)
    except json.JSONDecodeError as error:
        print(f"{inputs_file} is not valid JSON: {error}", file=sys.stderr)
    except URLError as error:
        print(f"no answer from {base} (such as http://127.0.0.1:8080): {error.reason}", file=sys.stderr)
    except OSError as error:
        print(error, file=sys.stderr)
    return 1


def run_to_end(weft: Weft, network: str, inputs: Any) -> int:
    run = weft.start(network, inputs)
    try:
        print(f"run {weft.base}/api/runs/{run.id}", file=sys.stderr, flush=True)
        status = run.wait(progress=sys.stderr.isatty())
    except KeyboardInterrupt:
        status = run.abort()
    for job in run.jobs(state="EXECUTOR_ERROR,SYSTEM_ERROR"):
        print(f"job {job.id} failed: {job.log(tail=2000)}", file=sys.stderr)
    print(json.dumps(plain(run.outputs()), indent=2))
    print(status.state, file=sys.stderr)
    return 0 if status.state == "COMPLETE" else 1


if __name__ == "__main__":
    sys.exit(main())
