import type { Journal } from "../journal/journal.ts";
import { unlessStorageFails } from "../journal/unless-storage-fails.ts";
import type { Agent } from "../port/engine.ts";
import type { RunResumption } from "../runs/drive/resume-runs.ts";
import type { RunRegistry } from "../runs/drive/run-registry.ts";
import type { RunServices } from "../runs/drive/run-services.ts";

export type StopMode = "drain" | "detach" | "cancel";

export interface Stoppable {
  readonly services: RunServices;
  readonly registry: RunRegistry;
  /** Resumes the runs that an earlier server left open. */
  readonly resumption: Pick<RunResumption, "hasten" | "releaseHeld" | "stop">;
  /** Closed while the log can still be written, because they record their actions in it. */
  readonly agents: readonly Agent[];
  /** Closed last, in order. */
  readonly closers: readonly (() => Promise<unknown>)[];
}

/**
 * Shuts down an engine. A running drain can be cut short: `cancel` aborts the remaining runs, `detach` leaves them
 * running.
 */
export class EngineStop {
  readonly #parts: Stoppable;
  readonly #detached = Promise.withResolvers<void>();
  #stopped: Promise<void> | undefined;

  constructor(parts: Stoppable) {
    this.#parts = parts;
  }

  get hasBegun(): boolean {
    return this.#stopped !== undefined;
  }

  /** Resolves when everything is closed. Returns the same promise to every caller. */
  stop(mode: StopMode): Promise<void> {
    if (mode === "detach") this.#detached.resolve();
    const hasBegun = this.hasBegun;
    this.#stopped ??= this.#carryOut(mode);
    const { registry, services } = this.#parts;
    // Once everything is closed, the log may no longer be writable.
    if (!hasBegun || mode !== "cancel" || registry.openIds.length === 0) return this.#stopped;
    return Promise.all([cancelAll(registry, services.journal), this.#stopped]).then(() => undefined);
  }

  async #carryOut(mode: StopMode): Promise<void> {
    const { services, registry, resumption, agents, closers } = this.#parts;
    const { journal, executor } = services;
    await noteStop(mode, journal);
    if (mode !== "detach")
      await unlessStorageFails(Promise.race([resumption.hasten(), this.#detached.promise]), journal);
    if (mode === "cancel") await unlessStorageFails(resumption.releaseHeld(), journal);
    resumption.stop();
    if (mode === "cancel") await cancelAll(registry, journal);
    await Promise.race([untilEnded(registry, journal), this.#detached.promise]);
    // This server writes nothing from here on. The next server finds out how the jobs continued.
    registry.release();
    await unlessStorageFails(Promise.all(agents.map((agent) => agent.close())), journal);
    await journal.close();
    await executor.close();
    for (const close of closers) await close();
  }
}

/**
 * Resolves when all runs have ended except paused ones, which stay paused for the next server. A paused run may be
 * aborted meanwhile.
 */
async function untilEnded(registry: RunRegistry, { read }: Pick<Journal, "read">): Promise<void> {
  for (;;) {
    const ids = registry.openIds.filter((id) => read.run(id)?.state !== "PAUSED");
    if (ids.length === 0) return;
    // eslint-disable-next-line no-await-in-loop -- repeats until all have ended
    await Promise.all(ids.flatMap((id) => registry.get(id)?.ended ?? []));
  }
}

/** Only informs watchers, so do not wait if the log cannot be written now. */
async function noteStop(mode: StopMode, journal: Journal): Promise<void> {
  if (journal.storageProblem !== undefined) return;
  const noted = journal.append([{ type: "server.stopping", run_id: null, actor: "engine", data: { mode } }]);
  await unlessStorageFails(noted, journal);
}

async function cancelAll(registry: RunRegistry, journal: Journal): Promise<void> {
  const ids = registry.openIds;
  const canceling = { type: "run.canceling", actor: "engine", data: { outstanding_jobs: [] } } as const;
  await journal.append(ids.map((runId) => ({ ...canceling, run_id: runId })));
  for (const id of ids) registry.get(id)?.abort();
}
