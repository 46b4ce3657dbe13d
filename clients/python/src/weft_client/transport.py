"""Requests over HTTP."""

from __future__ import annotations

import json
import urllib.error
import urllib.parse
import urllib.request
from email.message import Message
from typing import Any, Dict, Mapping, NamedTuple, Optional, Union

from .errors import WeftError

Query = Union[str, int, float, None]


class Answer(NamedTuple):
    status: int
    headers: Message
    content: bytes

    def json(self) -> Any:
        return json.loads(self.content)


class Transport:
    """Sends requests to one server."""

    def __init__(self, base: str, token: Optional[str], timeout: float) -> None:
        self.base = base.rstrip("/")
        self._timeout = timeout
        self._headers: Dict[str, str] = {"Accept": "application/json"}
        if token:
            self._headers["Authorization"] = f"Bearer {token}"

    def request(
        self,
        method: str,
        path: str,
        *,
        body: Any = None,
        headers: Optional[Mapping[str, str]] = None,
        query: Optional[Mapping[str, Query]] = None,
    ) -> Answer:
        """Raises WeftError for a refusal. Sends bytes as they are, other bodies as JSON; leaves out queries that are None."""
        sent = {**self._headers, **(headers or {})}
        if body is not None and not isinstance(body, bytes):
            body = json.dumps(body).encode()
            sent["Content-Type"] = "application/json"
        request = urllib.request.Request(self.base + path + query_text(query), data=body, headers=sent, method=method)
        try:
            with urllib.request.urlopen(request, timeout=self._timeout) as answer:
                return Answer(answer.status, answer.headers, answer.read())
        except urllib.error.HTTPError as refusal:
            if refusal.code == 304:
                return Answer(304, refusal.headers, b"")
            raise WeftError(refusal.code, problem_of(refusal)) from None

    def path_of(self, location: str) -> str:
        """The path of an address on this server. Raises ValueError for another server: it must not get the token."""
        if not location.startswith(self.base + "/"):
            raise ValueError(f"{location} is not an address of {self.base}")
        return location[len(self.base) :]


def query_text(query: Optional[Mapping[str, Query]]) -> str:
    given = {name: value for name, value in (query or {}).items() if value is not None}
    return "?" + urllib.parse.urlencode(given) if given else ""


def problem_of(refusal: urllib.error.HTTPError) -> Dict[str, Any]:
    try:
        problem = json.loads(refusal.read())
    except ValueError:
        return {}
    return problem if isinstance(problem, dict) else {}
