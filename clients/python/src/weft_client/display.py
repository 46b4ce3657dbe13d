"""HTML for notebooks. All texts from the server are escaped; pictures are part of the HTML."""

from __future__ import annotations

from base64 import b64encode
from html import escape
from typing import TYPE_CHECKING, Any, Dict, Optional

if TYPE_CHECKING:
    from .records import File, Run, RunStatus, Table

#: Pictures that browsers show, without SVG, which can contain scripts.
PICTURES: Dict[str, str] = {".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".gif": "image/gif"}
MAX_PICTURE_BYTES = 2_000_000
MAX_ROWS = 100
MAX_PICTURES = 24


class Pictures:
    """Counts the pictures of one display, so that a large table does not fetch thousands."""

    def __init__(self) -> None:
        self._left = MAX_PICTURES

    def html(self, file: "File") -> Optional[str]:
        """None for other files, and for large ones."""
        suffix = "." + file.name.lower().rsplit(".", 1)[-1]
        kind = PICTURES.get(suffix)
        if kind is None or self._left == 0 or file.size is None or file.size > MAX_PICTURE_BYTES:
            return None
        self._left -= 1
        content = b64encode(file.read()).decode()
        return f'<img alt="{escape(file.name)}" style="max-height:12em" src="data:{kind};base64,{content}">'


def run_html(run: "Run", status: "RunStatus") -> str:
    """A card: name, state, jobs and results."""
    counts = ", ".join(f"{count} {state}" for state, count in sorted(status.job_counts.items()))
    message = f"<div>{escape(status.message)}</div>" if status.message else ""
    head = f'<div><b><a href="{escape(run.url)}">{escape(run.name)}</a></b> {escape(status.state)}</div>'
    results = table_html(run.results()) if status.is_final else ""
    return f"<div>{head}<div>Jobs: {escape(counts) or 'none'}</div>{message}{results}</div>"


def table_html(table: "Table") -> str:
    """The first rows, with their pictures."""
    pictures = Pictures()
    head = "".join(f"<th>{escape(name)}</th>" for name in ["Sample", *table.columns])
    shown = list(zip(table.samples, table.rows))[:MAX_ROWS]
    body = "".join(
        f"<tr><td>{escape(sample or '')}</td>{''.join(cell_html(row.get(name), pictures) for name in table.columns)}</tr>"
        for sample, row in shown
    )
    rest = len(table) - len(shown)
    more = f"<div>… and {rest} more rows</div>" if rest > 0 else ""
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}"


def cell_html(value: Any, pictures: Pictures) -> str:
    return f"<td>{value_html(value, pictures)}</td>"


def value_html(value: Any, pictures: Pictures) -> str:
    from .records import File, text_of

    if value is None:
        return ""
    if isinstance(value, list):
        return "<br>".join(value_html(part, pictures) for part in value[:MAX_ROWS])
    if not isinstance(value, File):
        return escape(text_of(value))
    picture = pictures.html(value)
    name = escape(value.name)
    if not value.location.startswith(("http://", "https://")):
        return name
    return f'{picture or ""}<a href="{escape(value.location)}">{name}</a>'
