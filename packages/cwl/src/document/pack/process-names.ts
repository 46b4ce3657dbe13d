import type { Process } from "../../model/process.ts";

/**
 * The processes of a packed document that others refer to, with their ids: the root is `main`, the others keep their
 * names; where two share one, a scope before it (`2/align`) tells them apart. In the order of first reference.
 */
export function nameProcesses(root: Process): ReadonlyMap<Process, string> {
  const names = new Map<Process, string>([[root, "main"]]);
  const taken = new Map<string, number>([["main", 1]]);
  visitReferred(root, new Set(), (process) => {
    if (names.has(process)) return;
    const count = (taken.get(process.name) ?? 0) + 1;
    taken.set(process.name, count);
    names.set(process, count === 1 ? process.name : `${count}/${process.name}`);
  });
  return names;
}

function visitReferred(process: Process, visited: Set<Process>, visit: (process: Process) => void): void {
  if (process.class !== "Workflow" || visited.has(process)) return;
  visited.add(process);
  for (const { run, runReference } of process.steps) {
    if (runReference !== undefined) visit(run);
    visitReferred(run, visited, visit);
  }
}
