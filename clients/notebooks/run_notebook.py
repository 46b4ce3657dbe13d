"""python3 run_notebook.py NOTEBOOK.ipynb: executes the code of a notebook without Jupyter.

Prints what each cell prints, and the value of its last expression as a notebook would show it.
"""

from __future__ import annotations

import ast
import json
import sys
from typing import Any, Dict


def execute(source: str, name: str, variables: Dict[str, Any]) -> None:
    cell = ast.parse(source, name)
    last = cell.body.pop() if cell.body and isinstance(cell.body[-1], ast.Expr) else None
    exec(compile(cell, name, "exec"), variables)
    if last is None:
        return
    value = eval(compile(ast.Expression(last.value), name, "eval"), variables)
    if value is None:
        return
    html = getattr(value, "_repr_html_", None)
    print(html() if html is not None else repr(value))


def main(path: str) -> None:
    with open(path, encoding="utf-8") as file:
        cells = json.load(file)["cells"]
    variables: Dict[str, Any] = {"__name__": "__main__"}
    for number, cell in enumerate(cells, 1):
        if cell["cell_type"] == "code":
            execute("".join(cell["source"]), f"{path}, cell {number}", variables)


if __name__ == "__main__":
    main(sys.argv[1])
