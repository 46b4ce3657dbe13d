// Simulates the death of a node, as far as one machine can: kills its daemon and all its processes at the same moment.
import { readdirSync, readFileSync } from "node:fs";

/** Returns the number of job processes that it has killed. */
export async function killNode(cluster, name) {
  await cluster.kill(name);
  const lost = processesOf(cluster.spoolOf(name));
  for (const pid of lost) endProcess(pid);
  return lost.length;
}

/** The scripts of jobs are in the folder of their node. Their parents supervise them; the rest are their descendants. */
function processesOf(spool) {
  const ids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  const parents = new Map(ids.map((id) => [Number(id), parentOf(id)]));
  const scripts = ids.filter((id) => read(`/proc/${id}/cmdline`).includes(`${spool}/`)).map(Number);
  const roots = new Set([...scripts, ...scripts.map((id) => parents.get(id)).filter((id) => id > 1)]);
  const isBelow = (id) => roots.has(id) || (id > 1 && parents.has(id) && isBelow(parents.get(id)));
  return [...parents.keys()].filter(isBelow);
}

function parentOf(pid) {
  const stat = read(`/proc/${pid}/stat`);
  return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1] ?? 0);
}

function read(path) {
  try {
    return readFileSync(path, "latin1");
  } catch {
    // The job has ended meanwhile.
    return "";
  }
}

function endProcess(pid) {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // The job has ended by itself meanwhile.
  }
}
