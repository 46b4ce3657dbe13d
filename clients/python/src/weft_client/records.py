"""Runs, jobs, files and tables. Each shows itself in a notebook."""

from __future__ import annotations

import json
import os
import urllib.parse
from types import TracebackType
from typing import Any, Dict, Iterator, List, NamedTuple, Optional, Type, Union

from .display import run_html, table_html
from .errors import RunFailed
from .progress import progress_view
from .transport import Query, Transport

FINAL_STATES = frozenset({"COMPLETE", "EXECUTOR_ERROR", "SYSTEM_ERROR", "CANCELED", "PREEMPTED"})


class RunStatus(NamedTuple):
    """The state of a run at one moment."""

    state: str
    #: ``success``, ``failure``, ``partial`` or ``canceled``; None while the run is open.
    outcome: Optional[str]
    #: Number of jobs by state.
    job_counts: Dict[str, int]
    jobs_done: int
    #: None while the number is not known yet.
    jobs_total: Optional[int]
    message: str

    @property
    def is_final(self) -> bool:
        return self.state in FINAL_STATES


class File:
    """A file on the server: an input, an output, or an upload."""

    def __init__(self, transport: Transport, value: Dict[str, Any]) -> None:
        self._transport = transport
        #: The CWL object.
        self.value = value

    @property
    def location(self) -> str:
        return str(self.value["location"])

    @property
    def name(self) -> str:
        last = urllib.parse.unquote(self.location.rstrip("/").split("/")[-1])
        return str(self.value.get("basename") or last)

    @property
    def size(self) -> Optional[int]:
        """In bytes; None if the server has not measured it."""
        size = self.value.get("size")
        return size if isinstance(size, int) else None

    def read(self) -> bytes:
        """The content. Only files of runs have an address to read from."""
        path = self._transport.path_of(self.location)
        return self._transport.request("GET", path, headers={"Accept": "*/*"}).content

    def save(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Writes the content to a new file of this machine."""
        with open(path, "xb") as file:
            file.write(self.read())

    def __repr__(self) -> str:
        return f"<File {self.name}>"


class Job:
    """A job of a run."""

    def __init__(self, transport: Transport, run_id: str, record: Dict[str, Any]) -> None:
        self._transport = transport
        self._run_id = run_id
        self.record = record

    @property
    def id(self) -> str:
        return str(self.record["job_id"])

    @property
    def state(self) -> str:
        return str(self.record["state"])

    def log(self, stream: str = "stderr", tail: Optional[int] = None) -> str:
        """What the job wrote to ``stdout`` or ``stderr``; ``tail``: only the last so many bytes."""
        path = f"/api/runs/{self._run_id}/jobs/{urllib.parse.quote(self.id, safe='')}/log"
        query = {"stream": stream, "tail": tail}
        answer = self._transport.request("GET", path, headers={"Accept": "*/*"}, query=query)
        return answer.content.decode(errors="replace")

    def __repr__(self) -> str:
        return f"<Job {self.id} {self.state}>"


class Table:
    """Results of a run: one row for the whole run or a file, and one for each sample."""

    def __init__(self, columns: List[str], rows: List[Dict[str, Any]], samples: List[Optional[str]]) -> None:
        self.columns = columns
        #: For each row: the name of an output → its value. Files are File objects.
        self.rows = rows
        #: For each row: the name of its sample, or None.
        self.samples = samples

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[Dict[str, Any]]:
        return iter(self.rows)

    def _repr_html_(self) -> str:
        return table_html(self)


class Run:
    """A run. In a ``with`` statement, leaving it early aborts the run."""

    def __init__(self, transport: Transport, record: Dict[str, Any]) -> None:
        self._transport = transport
        #: The record as of the last request.
        self.record = record

    @property
    def id(self) -> str:
        return str(self.record["run_id"])

    @property
    def name(self) -> str:
        return str(self.record["name"])

    @property
    def url(self) -> str:
        """The address of its page."""
        return f"{self._transport.base}/run/{self.id}"

    @property
    def state(self) -> str:
        """As of the last request."""
        return str(self.record["state"])

    def __enter__(self) -> "Run":
        return self

    def __exit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        if not self.status().is_final:
            self.abort()

    def status(self) -> RunStatus:
        return self._take(self._transport.request("GET", self._path("/status")).json())

    def wait(self, progress: bool = False) -> RunStatus:
        """Waits until the run has ended. ``progress`` shows a bar, in terminals and in notebooks."""
        tag: Optional[str] = None
        with progress_view(self.name, progress) as show:
            while True:
                headers = {"Prefer": "wait=30"} if tag is None else {"Prefer": "wait=30", "If-None-Match": tag}
                answer = self._transport.request("GET", self._path("/status"), headers=headers)
                tag = answer.headers.get("ETag")
                if answer.status == 304:
                    continue
                status = self._take(answer.json())
                show(status.state, status.jobs_done, status.jobs_total)
                if status.is_final:
                    return status

    def require(self, progress: bool = False) -> "Run":
        """Waits, and raises RunFailed unless the run is COMPLETE."""
        status = self.wait(progress)
        if status.state != "COMPLETE":
            raise RunFailed(self.id, status.state, status.message)
        return self

    def abort(self) -> RunStatus:
        """Ends all processes of the run; returns when the server has the proof that none is left."""
        self._transport.request("DELETE", self._path(""))
        return self.wait()

    def jobs(self, **query: Query) -> Iterator[Job]:
        """``query``: state, step, sample, …"""
        token: Optional[str] = None
        while True:
            page = self._transport.request("GET", self._path("/jobs"), query={**query, "page_token": token}).json()
            for record in page["jobs"]:
                yield Job(self._transport, self.id, record)
            token = page["next_page_token"]
            if not token:
                return

    def outputs(self) -> Dict[str, Any]:
        """The output object. Files are File objects."""
        found = self._transport.request("GET", self._path("/outputs")).json()["outputs"]
        return {name: self._value(value) for name, value in (found or {}).items()}

    def results(self) -> Table:
        """The outputs as a table, with one row for each sample."""
        columns: List[str] = []
        rows: List[Dict[str, Any]] = []
        samples: List[Optional[str]] = []
        while True:
            page = self._transport.request("GET", self._path("/results"), query={"from": len(rows)}).json()
            columns = [column["output"] for column in page["columns"]]
            for row in page["rows"]:
                samples.append(row["sample_id"])
                rows.append({cell["output"]: self._value(cell["value"]) for cell in row["cells"]})
            if not page["rows"] or len(rows) >= page["total"]:
                return Table(columns, rows, samples)

    def _repr_html_(self) -> str:
        return run_html(self, self.status())

    def __repr__(self) -> str:
        return f"<Run {self.name} {self.state} {self.url}>"

    def _path(self, rest: str) -> str:
        return f"/api/runs/{urllib.parse.quote(self.id, safe='')}{rest}"

    def _take(self, status: Dict[str, Any]) -> RunStatus:
        self.record = {**self.record, "state": status["state"], "outcome": status["outcome"]}
        progress, reason = status["progress"], status["state_reason"] or {}
        return RunStatus(
            state=status["state"],
            outcome=status["outcome"],
            job_counts=status["job_counts"],
            jobs_done=progress["jobs_done"],
            jobs_total=progress["jobs_total"] if progress["jobs_total_is_final"] else None,
            message=str(reason.get("message", "")),
        )

    def _value(self, value: Any) -> Any:
        if isinstance(value, list):
            return [self._value(part) for part in value]
        if isinstance(value, dict):
            if value.get("class") == "File":
                return File(self._transport, value)
            return {name: self._value(part) for name, part in value.items()}
        return value


def text_of(value: Any) -> str:
    """A value in one line, for tables."""
    if isinstance(value, File):
        return value.name
    if isinstance(value, list):
        return ", ".join(text_of(part) for part in value)
    return value if isinstance(value, str) else json.dumps(value, default=text_of)
