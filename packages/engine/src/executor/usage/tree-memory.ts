import { readdirSync, readFileSync } from "node:fs";

/** Memory of the processes below another one, by its process id. */
export type TreeMemory = readonly (readonly [root: number, bytes: number])[];

/**
 * The memory of each root's descendants: the larger of their current total and the highest peak of any one process,
 * which the kernel keeps. A lower bound of the true peak; excludes the roots. `proc`: path of the proc file system.
 */
export function treeMemory(roots: readonly number[], proc = "/proc"): TreeMemory {
  const children = childrenByParent(proc);
  return roots.map((root) => {
    const sizes = descendantsOf(root, children).map((pid) => sizeOf(`${proc}/${pid}/status`));
    const now = sizes.reduce((sum, { rssBytes }) => sum + rssBytes, 0);
    return [root, Math.max(now, ...sizes.map(({ peakBytes }) => peakBytes))] as const;
  });
}

function childrenByParent(proc: string): ReadonlyMap<number, readonly number[]> {
  const children = new Map<number, number[]>();
  for (const name of readdirSync(proc)) {
    if (!/^\d+$/.test(name)) continue;
    const stat = read(`${proc}/${name}/stat`);
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
  for (let index = 0; index < found.length; index += 1) found.push(...(children.get(found[index] ?? -1) ?? []));
  return found;
}

function sizeOf(path: string): { readonly rssBytes: number; readonly peakBytes: number } {
  const status = read(path);
  return { rssBytes: kilobytes(status, "VmRSS"), peakBytes: kilobytes(status, "VmHWM") };
}

function kilobytes(status: string, name: string): number {
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, "m").exec(status)?.[1] ?? 0) * 1024;
}

/** Empty if the process has ended meanwhile. */
function read(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return "";
  }
}
