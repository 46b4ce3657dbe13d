import { join } from "node:path";
import { runItem } from "../files/used-items.ts";
import type { MeasuredBytes } from "@weft/shared/events/run-events.ts";
import type { Journal } from "../journal/journal.ts";
import type { RunPart } from "@weft/shared/records/run-parts.ts";
import { measureRun } from "./measure-run.ts";
import type { RunFolder } from "./measure-run.ts";
import { removePart } from "./remove-part.ts";
import type { Removed } from "./remove-part.ts";

export type RemovalResult = ({ readonly kind: "removed" } & Removed) | { readonly kind: "kept"; readonly why: string };

/**
 * What ended runs have on disk. A removal is on record before anything is touched, and the log refuses it while an open
 * run relies on the part: in the same transaction in which it would refuse a new run that names a part which is being removed.
 */
export class RunStorage {
  readonly #journal: Journal;
  readonly #runsFolder: string;

  constructor(journal: Journal, runsFolder: string) {
    this.#journal = journal;
    this.#runsFolder = runsFolder;
  }

  measure(runId: string): Promise<MeasuredBytes> {
    return measureRun(this.#folderOf(runId));
  }

  async recordMeasure(runId: string): Promise<void> {
    const data = await this.measure(runId);
    await this.#journal.append([{ type: "run.measured", run_id: runId, actor: "engine", data }]);
  }

  /** Removes a part of a run that has ended. Rejects with a Refusal where the intent cannot be recorded. */
  async remove(runId: string, part: RunPart, actor: string): Promise<RemovalResult> {
    const [begun] = await this.#journal.append([{ type: "run.pruning", run_id: runId, actor, data: { part } }]);
    return begun === null ? { kind: "kept", why: this.whyKept(runId, part) } : this.finish(runId, part);
  }

  /** Carries out a removal that is on record, from wherever it had come to. */
  async finish(runId: string, part: RunPart): Promise<RemovalResult> {
    const removed = await removePart(this.#folderOf(runId), part);
    const data = { part, ...removed, left: await this.measure(runId) };
    // Its own doing by now: whoever asked is named by the intent.
    await this.#journal.append([{ type: "run.pruned", run_id: runId, actor: "engine", data }]);
    return { kind: "removed", ...removed };
  }

  /** As the log would answer. */
  whyKept(runId: string, part: RunPart): string {
    const [user, ...more] = this.#journal.read.usersOf(runItem(runId, part));
    if (user === undefined) return "the run has not ended";
    return `the run ${user}${more.length > 0 ? ` (and ${more.length} more)` : ""}, which has not ended, reads files of it`;
  }

  #folderOf(runId: string): RunFolder {
    const folder = join(this.#runsFolder, runId);
    const named = this.#journal.read.namedLogs(runId).flatMap(withFolders);
    return { folder, namedLogs: new Set(named.map((path) => join(folder, path))) };
  }
}

/** A path, and the folders that it goes through. */
function withFolders(path: string): readonly string[] {
  const names = path.split("/");
  return names.map((_, index) => names.slice(0, index + 1).join("/"));
}
