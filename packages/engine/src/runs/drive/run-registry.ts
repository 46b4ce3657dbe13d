import type { Catalog } from "../../catalog/catalog.ts";
import type { RunContext } from "./run-context.ts";
import { RunActor } from "./run-actor.ts";
import type { RunServices } from "./run-services.ts";

/** The runs that this process drives, by id. */
export class RunRegistry {
  readonly #services: RunServices;
  readonly #catalog: Catalog | undefined;
  readonly #actors = new Map<string, RunActor>();

  constructor(services: RunServices, catalog: Catalog | undefined) {
    this.#services = services;
    this.#catalog = catalog;
  }

  start(run: RunContext): RunActor {
    const { runId, options } = run;
    const { scheduler, secrets } = this.#services;
    scheduler.enter(runId, { priority: options.priority, maxParallel: options.max_parallel_jobs });
    const actor = new RunActor(run, this.#services, this.#catalog);
    this.#actors.set(runId, actor);
    void actor.ended.finally(() => {
      this.#actors.delete(runId);
      scheduler.leave(runId);
      if (!actor.isReleased) secrets.forget(runId);
    });
    return actor;
  }

  get(runId: string): RunActor | undefined {
    return this.#actors.get(runId);
  }

  release(): void {
    for (const actor of this.#actors.values()) actor.release();
  }

  get openIds(): readonly string[] {
    return [...this.#actors.keys()];
  }
}
