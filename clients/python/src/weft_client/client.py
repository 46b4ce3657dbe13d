"""The client."""

from __future__ import annotations

import urllib.parse
import uuid
from types import TracebackType
from typing import Any, Dict, Iterator, List, Mapping, Optional, Type

from .records import File, Run
from .transport import Answer, Query, Transport


class Weft:
    """A Weft server. Use it in a ``with`` statement, or as it is: it keeps no connection open."""

    def __init__(self, base: str, token: Optional[str] = None, timeout: float = 90) -> None:
        """``base`` is the address of the server. ``timeout`` (seconds) must be longer than 30, the longest wait."""
        self._transport = Transport(base, token, timeout)

    def __enter__(self) -> "Weft":
        return self

    def __exit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        return None

    @property
    def base(self) -> str:
        """The address of the server, without a slash at its end."""
        return self._transport.base

    def request(
        self,
        method: str,
        path: str,
        *,
        body: Any = None,
        headers: Optional[Mapping[str, str]] = None,
        query: Optional[Mapping[str, Query]] = None,
    ) -> Answer:
        """Any request of the API. Raises WeftError for a refusal."""
        return self._transport.request(method, path, body=body, headers=headers, query=query)

    def get(self, path: str, **query: Query) -> Any:
        """The JSON at a path of the API."""
        return self.request("GET", path, query=query).json()

    def pages(self, path: str, field: str, **query: Query) -> Iterator[Any]:
        """Every entry of a list, page after page."""
        token: Optional[str] = None
        while True:
            page = self.get(path, **{**query, "page_token": token})
            yield from page[field]
            token = page["next_page_token"]
            if not token:
                return

    def server(self) -> Dict[str, Any]:
        """Version, machine, queue and counters; ``changes`` lists what changed since the version of this client."""
        from . import __version__

        info: Dict[str, Any] = self.get("/api/server", client_version=__version__)
        return info

    def networks(self) -> List[Dict[str, Any]]:
        """The networks of the catalog."""
        return list(self.pages("/api/networks", "networks"))

    def upload(self, name: str, content: bytes) -> File:
        """Stores bytes on the server; put the file into inputs."""
        headers = {"Content-Type": "application/octet-stream"}
        answer = self.request("POST", "/api/files", body=content, headers=headers, query={"name": name})
        return File(self._transport, {"class": "File", "location": answer.json()["location"]})

    def start(self, network: str, inputs: Mapping[str, Any], **more: Any) -> Run:
        """Starts a run, once however often the request has to be sent. ``more``: name, version, tags, options."""
        headers = {"Idempotency-Key": str(uuid.uuid4())}
        body = {"network": network, "inputs": plain(inputs), **more}
        answer = self.request("POST", "/api/runs", body=body, headers=headers)
        return Run(self._transport, answer.json())

    def run(self, run_id: str) -> Run:
        """A run that was started before."""
        return Run(self._transport, self.get(f"/api/runs/{urllib.parse.quote(run_id, safe='')}"))

    def runs(self, **query: Query) -> Iterator[Run]:
        """Runs, the newest first. ``query``: state, network, tag, …"""
        for record in self.pages("/api/runs", "runs", **query):
            yield Run(self._transport, record)


def plain(value: Any) -> Any:
    """Inputs as JSON: files become their objects."""
    if isinstance(value, File):
        return value.value
    if isinstance(value, Mapping):
        return {name: plain(part) for name, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(part) for part in value]
    return value
