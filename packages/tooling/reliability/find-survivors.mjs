import { readdirSync, readFileSync } from "node:fs";

/** Ids of the processes that belong to a run: by the variable that jobs are given, or by the token in their command line. */
export function findSurvivors(runId, token) {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => read(pid, "environ").includes(`WEFT_RUN=${runId}`) || read(pid, "cmdline").includes(token))
    .map(Number);
}

/** Empty where the process has ended meanwhile, as for one that nobody has waited for yet. */
function read(pid, name) {
  try {
    return readFileSync(`/proc/${pid}/${name}`, "latin1");
  } catch {
    return "";
  }
}
