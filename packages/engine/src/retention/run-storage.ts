import { join } from "node:path";
import { runItem } from "../files/used-items.ts";
import type { MeasuredBytes } from "@weft/shared/events/run-events.ts";
import type { Journal } from "../journal/journal.ts";
import type { RunPart } from "@weft/shared/records/run-parts.ts";
import { measureRun, type RunFolder } from "./measure-run.ts";
import { removePart, type Removed } from "./remove-part.ts";

export type RemovalResult = ({ readonly kind: "removed" } & Removed) | { readonly kind: "kept"; readonly why: string };

/**
 * The disk usage of ended runs. A removal is recorded before anything is touched. The log refuses it while an open run
 * relies on the part, in the same transaction that would refuse a new run that uses a part being removed.
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

  /** Removes a part of an ended run. Rejects with a Refusal if the intent cannot be recorded. */
  async remove(runId: string, part: RunPart, actor: string): Promise<RemovalResult> {
    const [begun] = await this.#journal.append([{ type: "run.pruning", run_id: runId, actor, data: { part } }]);
    return begun === null ? { kind: "kept", why: this.whyKept(runId, part) } : this.finish(runId, part);
  }

  /** Carries out a recorded removal from wherever it was interrupted. */
  async finish(runId: string, part: RunPart): Promise<RemovalResult> {
    const removed = await removePart(this.#folderOf(runId), part);
    const data = { part, ...removed, left: await this.measure(runId) };
    // Here the engine acts by itself; the intent names the caller who requested it.
    await this.#journal.append([{ type: "run.pruned", run_id: runId, actor: "engine", data }]);
    return { kind: "removed", ...removed };
  }

  /** The reason why a part is kept, as in the log's refusal. */
  whyKept(runId: string, part: RunPart): string {
    const [user, ...more] = this.#journal.read.usersOf(runItem(runId, part));
    if (user === undefined) return "the run is still open";
    return `the open run ${user}${more.length > 0 ? ` (and ${more.length} more)` : ""} reads files of it`;
  }

  #folderOf(runId: string): RunFolder {
    const folder = join(this.#runsFolder, runId);
    const named = this.#journal.read.namedLogs(runId).flatMap(withFolders);
    return { folder, namedLogs: new Set(named.map((path) => join(folder, path))) };
  }
}

/** A path and all its parent folders. */
function withFolders(path: string): readonly string[] {
  const names = path.split("/");
  return names.map((_, index) => names.slice(0, index + 1).join("/"));
}
