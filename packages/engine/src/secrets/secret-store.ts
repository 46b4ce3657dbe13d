import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { CwlFailure } from "@weft/cwl/cwl-failure.ts";
import { writeDurablyNow } from "../files/write-durably.ts";
import { NO_SECRETS, RunSecrets } from "./run-secrets.ts";
import { wipeJob } from "./wipe-job.ts";

interface SecretFolders {
  /** Absolute path of the folder that contains one folder per run. */
  readonly runs: string;
  /** Absolute path of the folder for the secrets themselves; undefined: keep them in memory only. */
  readonly secrets: string | undefined;
}

/**
 * The secrets of open runs: in memory, and in one file per run that only this account can read, so that a restarted
 * server can continue. The file is removed when the run has ended; no log, backup or record contains secrets.
 */
export class SecretStore {
  readonly #folders: SecretFolders;
  readonly #open = new Map<string, RunSecrets>();

  constructor(folders: SecretFolders) {
    this.#folders = folders;
  }

  of(runId: string): RunSecrets {
    return this.#open.get(runId) ?? NO_SECRETS;
  }

  /** Call before the run is recorded: a recorded run has its secrets. */
  keep(runId: string, secrets: RunSecrets): void {
    if (secrets.isEmpty) return;
    this.#open.set(runId, secrets);
    const path = this.#file(runId);
    if (path !== undefined) writeDurablyNow(path, JSON.stringify([...secrets.texts]));
  }

  /** Checks the secrets of a run that an earlier server began. Throws a CwlFailure if they are needed and gone. */
  inspect(runId: string, isNeeded: boolean): void {
    if (!isNeeded) return;
    const path = this.#file(runId);
    const text = path === undefined ? undefined : readIfThere(path);
    if (text === undefined)
      throw new CwlFailure("STAGE_IN", "the secrets of this run are no longer in the state folder", {
        hint: "start it again with its secret inputs; backups contain no secrets",
      });
    this.#open.set(runId, new RunSecrets(new Map(JSON.parse(text) as [string, string][]))); // written by `keep`
  }

  /** The run has ended or was never created: removes its secrets. */
  forget(runId: string): void {
    if (!this.#open.delete(runId)) return;
    const jobs = join(this.#folders.runs, runId, "jobs");
    for (const name of namesIn(jobs)) wipeJob(join(jobs, name));
    const path = this.#file(runId);
    if (path !== undefined) rmSync(path, { force: true });
  }

  /**
   * Removes secrets of runs that are not open: a server may have been killed between the end of a run and `forget`, or
   * before the run was recorded.
   */
  forgetAllBut(openRuns: ReadonlySet<string>): void {
    for (const name of this.#folders.secrets === undefined ? [] : namesIn(this.#folders.secrets)) {
      const runId = basename(name, ".json");
      if (openRuns.has(runId)) continue;
      this.forgetLeft(runId);
    }
  }

  /** Removes the secrets that an earlier server kept for a run that this server ended without driving it. */
  forgetLeft(runId: string): void {
    const path = this.#file(runId);
    if (path === undefined || !existsSync(path)) return;
    this.#open.set(runId, NO_SECRETS);
    this.forget(runId);
  }

  #file(runId: string): string | undefined {
    const { secrets } = this.#folders;
    return secrets === undefined ? undefined : join(secrets, `${runId}.json`);
  }
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}
