import { readFileSync } from "node:fs";

/**
 * Whether a process is the sandbox program (sandbox/) around a job that has begun: with it the kernel ends everything
 * inside at once. One that has started nothing yet is a process like any other. `proc`: where the kernel shows them.
 */
export function isSandbox(pid: number, proc = "/proc"): boolean {
  if (read(`${proc}/${pid}/comm`) !== "bwrap") return false;
  const [first] = childrenOf(pid, proc);
  return first !== undefined && childrenOf(first, proc).length > 0;
}

function childrenOf(pid: number, proc: string): readonly number[] {
  const text = read(`${proc}/${pid}/task/${pid}/children`);
  return text === "" ? [] : text.split(" ").map(Number);
}

function read(path: string): string {
  try {
    return readFileSync(path, "utf8").trim();
  } catch {
    // Ended meanwhile.
    return "";
  }
}
