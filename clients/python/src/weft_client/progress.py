"""Progress bars: one line in a terminal, one card in a notebook."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from html import escape
from typing import Any, Callable, Iterator, Optional

Show = Callable[[str, int, Optional[int]], None]
WIDTH = 30


@contextmanager
def progress_view(name: str, is_wanted: bool) -> Iterator[Show]:
    """Yields a function that shows the state, the number of finished jobs, and of all jobs."""
    if not is_wanted:
        yield lambda state, done, total: None
        return
    display = notebook_display()
    if display is not None:
        yield display_bar(name, display)
        return
    yield terminal_bar(name)
    if sys.stderr.isatty():
        sys.stderr.write("\n")


def bar_text(name: str, state: str, done: int, total: Optional[int]) -> str:
    if not total:
        return f"{name} [{'·' * WIDTH}] {done} jobs, {state}"
    filled = WIDTH * min(done, total) // total
    return f"{name} [{'█' * filled}{'·' * (WIDTH - filled)}] {done} of {total} jobs, {state}"


def terminal_bar(name: str) -> Show:
    """Replaces its line in a terminal. Writes a line for each change elsewhere."""
    is_terminal = sys.stderr.isatty()
    shown = ""

    def show(state: str, done: int, total: Optional[int]) -> None:
        nonlocal shown
        text = "".join(sign for sign in bar_text(name, state, done, total) if sign.isprintable())
        if text == shown:
            return
        shown = text
        sys.stderr.write(f"\r\x1b[K{text}" if is_terminal else f"{text}\n")
        sys.stderr.flush()

    return show


def bar_html(name: str, state: str, done: int, total: Optional[int]) -> str:
    value = f'value="{done}" max="{total}"' if total else ""
    label = f"{done} of {total} jobs" if total else f"{done} jobs"
    return f"<div>{escape(name)} <progress {value}></progress> {label}, {escape(state)}</div>"


def display_bar(name: str, display: Callable[..., Any]) -> Show:
    """Replaces one output of the cell."""
    handle: Any = None

    def show(state: str, done: int, total: Optional[int]) -> None:
        nonlocal handle
        content = {"text/html": bar_html(name, state, done, total), "text/plain": bar_text(name, state, done, total)}
        if handle is None:
            handle = display(content, raw=True, display_id=True)
        else:
            handle.update(content, raw=True)

    return show


def notebook_display() -> Optional[Callable[..., Any]]:
    """IPython's function if this code runs in a notebook; the client does not depend on IPython."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    if shell is None or not hasattr(shell, "kernel"):
        return None
    from importlib import import_module

    display: Callable[..., Any] = import_module("IPython.display").display
    return display
