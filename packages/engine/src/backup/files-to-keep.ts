import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { isFinal } from "@weft/shared/records/state-names.ts";
import type { RunState } from "@weft/shared/records/state.ts";
import { undefinedIfMissing } from "../files/undefined-if-missing.ts";

/**
 * Paths below the state folder that the log in `db` calls finished: uploads, the attempts of jobs that have ended, and
 * the outputs of runs that have ended. An attempt under way is left out: its job runs again where the backup is restored.
 */
export async function* filesToKeep(root: string, db: DatabaseSync): AsyncGenerator<string> {
  // A name with a dot is an upload that is still arriving.
  for (const name of await names(root, "uploads")) if (!name.startsWith(".")) yield join("uploads", name);
  const jobs = db.prepare("SELECT job_id, attempt, state FROM jobs WHERE run_id = ?");
  for (const { run_id: id, state } of db.prepare("SELECT run_id, state FROM runs").iterate()) {
    const run = join("runs", String(id));
    const ended = isFinal(String(state) as RunState); // the log's own word
    // Of jobs that the log does not know yet there may be folders by now.
    const done = new Set(
      jobs
        .all(String(id))
        .filter((job) => isFinal(String(job["state"]) as RunState))
        .map((job) => String(job["job_id"])),
    );
    for (const name of await names(root, run))
      if (name !== "jobs" && (ended || name !== "outputs")) yield join(run, name);
    for (const name of await names(root, run, "jobs"))
      if (done.has(name.slice(0, name.lastIndexOf("@")))) yield join(run, "jobs", name);
  }
}

async function names(...path: string[]): Promise<readonly string[]> {
  return (await readdir(join(...path)).catch(undefinedIfMissing)) ?? [];
}
