"""The client for asyncio.

    from weft_client.aio import AsyncWeft

    async with AsyncWeft("http://127.0.0.1:8080") as weft:
        run = await weft.start("practice-load", {"count": 2})
        await run.wait()

Each call runs in a thread, because Python's standard library has no asynchronous HTTP client. If a task is cancelled, its request
still ends by itself, at the latest after 30 seconds.
"""

from __future__ import annotations

from asyncio import to_thread
from types import TracebackType
from typing import Any, Dict, List, Mapping, Optional, Type

from .client import Weft
from .records import File, Job, Run, RunStatus, Table
from .transport import Query


class AsyncRun:
    """A run. In an ``async with`` statement, leaving it early aborts the run."""

    def __init__(self, run: Run) -> None:
        #: The same run without asyncio. Its methods block.
        self.sync = run

    @property
    def id(self) -> str:
        return self.sync.id

    @property
    def name(self) -> str:
        return self.sync.name

    @property
    def url(self) -> str:
        return self.sync.url

    @property
    def state(self) -> str:
        return self.sync.state

    async def __aenter__(self) -> "AsyncRun":
        return self

    async def __aexit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        await to_thread(self.sync.__exit__, kind, error, trace)

    async def status(self) -> RunStatus:
        return await to_thread(self.sync.status)

    async def wait(self, progress: bool = False) -> RunStatus:
        return await to_thread(self.sync.wait, progress)

    async def require(self, progress: bool = False) -> "AsyncRun":
        await to_thread(self.sync.require, progress)
        return self

    async def abort(self) -> RunStatus:
        return await to_thread(self.sync.abort)

    async def jobs(self, **query: Query) -> List[Job]:
        return await to_thread(lambda: list(self.sync.jobs(**query)))

    async def outputs(self) -> Dict[str, Any]:
        return await to_thread(self.sync.outputs)

    async def results(self) -> Table:
        return await to_thread(self.sync.results)

    def __repr__(self) -> str:
        return repr(self.sync)


class AsyncWeft:
    """A Weft server, for asyncio."""

    def __init__(self, base: str, token: Optional[str] = None, timeout: float = 90) -> None:
        #: The same client without asyncio. Its methods block.
        self.sync = Weft(base, token, timeout)

    async def __aenter__(self) -> "AsyncWeft":
        return self

    async def __aexit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        return None

    async def get(self, path: str, **query: Query) -> Any:
        return await to_thread(lambda: self.sync.get(path, **query))

    async def server(self) -> Dict[str, Any]:
        return await to_thread(self.sync.server)

    async def networks(self) -> List[Dict[str, Any]]:
        return await to_thread(self.sync.networks)

    async def upload(self, name: str, content: bytes) -> File:
        return await to_thread(self.sync.upload, name, content)

    async def start(self, network: str, inputs: Mapping[str, Any], **more: Any) -> AsyncRun:
        return AsyncRun(await to_thread(lambda: self.sync.start(network, inputs, **more)))

    async def run(self, run_id: str) -> AsyncRun:
        return AsyncRun(await to_thread(self.sync.run, run_id))
