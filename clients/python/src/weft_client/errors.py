"""What can go wrong."""

from __future__ import annotations

from typing import Any, Dict, List


class WeftError(Exception):
    """A request that the server refused; ``problem`` is its own explanation (RFC 9457)."""

    def __init__(self, status: int, problem: Dict[str, Any]) -> None:
        self.status = status
        self.problem = problem
        detail = str(problem.get("detail", f"the server answered {status}"))
        errors: List[Dict[str, Any]] = problem.get("errors", [])
        places = [f"{error.get('pointer') or error.get('parameter')}: {error['detail']}" for error in errors]
        super().__init__("; ".join([detail, *(place for place in places if place not in detail)]))

    @property
    def code(self) -> str:
        """The stable code of the problem, such as ``run-not-found``; empty if the server gave none."""
        return str(self.problem.get("code", ""))


class RunFailed(Exception):
    """A run that ended, but is not complete."""

    def __init__(self, run_id: str, state: str, message: str) -> None:
        self.run_id = run_id
        self.state = state
        super().__init__(f"run {run_id} is {state}: {message}")
