import { readdirSync, readFileSync, readlinkSync } from "node:fs";

/**
 * Ids of the processes that belong to a run, by marks that the server does not use: the token in their command line,
 * their working directory, and the variable that jobs receive.
 */
export function findSurvivors(runId, token) {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter(
      (pid) =>
        read(pid, "cmdline").includes(token) ||
        folderOf(pid).includes(`/${runId}/`) ||
        read(pid, "environ").includes(`WEFT_RUN=${runId}`),
    )
    .map(Number);
}

function folderOf(pid) {
  try {
    return `${readlinkSync(`/proc/${pid}/cwd`)}/`;
  } catch {
    return "";
  }
}

/** Empty if the process has ended meanwhile, including a zombie. */
function read(pid, name) {
  try {
    return readFileSync(`/proc/${pid}/${name}`, "latin1");
  } catch {
    return "";
  }
}
