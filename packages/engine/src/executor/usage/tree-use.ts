import { textOf } from "../process-files.ts";
import { readdirSync } from "node:fs";

/** The resource use of the processes below another one. */
export interface TreeUse {
  readonly bytes: number;
  /** Processes and threads. */
  readonly tasks: number;
}

/** The use of process trees, by the process id of the root. */
export type TreeUses = readonly (readonly [root: number, use: TreeUse])[];

/**
 * Resources of each root's descendants, without the root. Their memory is the larger of their current total and the
 * highest peak of any one process, which the kernel keeps: a lower bound of the true peak. `proc`: path of the proc
 * file system.
 */
export function treeUse(roots: readonly number[], proc = "/proc"): TreeUses {
  const children = childrenByParent(proc);
  return roots.map((root) => {
    const sizes = descendantsOf(root, children).map((pid) => sizeOf(`${proc}/${pid}/status`));
    const now = sizes.reduce((sum, { rssBytes }) => sum + rssBytes, 0);
    const peak = sizes.reduce((most, { peakBytes }) => Math.max(most, peakBytes), 0);
    return [root, { bytes: Math.max(now, peak), tasks: sizes.reduce((sum, { tasks }) => sum + tasks, 0) }] as const;
  });
}

function childrenByParent(proc: string): ReadonlyMap<number, readonly number[]> {
  const children = new Map<number, number[]>();
  for (const name of readdirSync(proc)) {
    if (!/^\d+$/.test(name)) continue;
    const stat = textOf(`${proc}/${name}/stat`);
    // The command name in parentheses may contain anything; the state and the parent follow it.
    const parent = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
    const siblings = children.get(parent);
    if (siblings === undefined) children.set(parent, [Number(name)]);
    else siblings.push(Number(name));
  }
  return children;
}

function descendantsOf(root: number, children: ReadonlyMap<number, readonly number[]>): readonly number[] {
  const found: number[] = [...(children.get(root) ?? [])];
  for (let index = 0; index < found.length; index += 1)
    for (const child of children.get(found[index] ?? -1) ?? []) found.push(child);
  return found;
}

interface ProcessSize {
  readonly rssBytes: number;
  readonly peakBytes: number;
  readonly tasks: number;
}

function sizeOf(path: string): ProcessSize {
  const status = textOf(path);
  const numberOf = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(status)?.[1] ?? 0);
  return { rssBytes: numberOf("VmRSS") * 1024, peakBytes: numberOf("VmHWM") * 1024, tasks: numberOf("Threads") };
}
