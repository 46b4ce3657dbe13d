import type { Catalog } from "../../catalog/catalog.ts";
import type { SecretStore } from "../../secrets/secret-store.ts";
import type { RunContext } from "./run-context.ts";
import { RunDriver } from "./run-driver.ts";
import type { DriverServices } from "./run-driver.ts";

export interface RegistryServices extends DriverServices {
  readonly secrets: SecretStore;
}

/** The runs that this process drives, by id. */
export class RunRegistry {
  readonly #services: RegistryServices;
  readonly #catalog: Catalog | undefined;
  readonly #onEnded: (runId: string) => void;
  readonly #drivers = new Map<string, RunDriver>();

  /** Calls `onEnded` when this process no longer drives a run: it has ended or is detached. */
  constructor(services: RegistryServices, catalog: Catalog | undefined, onEnded: (runId: string) => void = () => {}) {
    this.#services = services;
    this.#catalog = catalog;
    this.#onEnded = onEnded;
  }

  start(run: RunContext): RunDriver {
    const { runId, options } = run;
    const { scheduler, secrets } = this.#services;
    scheduler.enter(runId, { priority: options.priority, maxParallel: options.max_parallel_jobs });
    const driver = new RunDriver(run, this.#services, this.#catalog);
    this.#drivers.set(runId, driver);
    void driver.ended.finally(() => {
      this.#drivers.delete(runId);
      scheduler.leave(runId);
      if (!driver.isReleased) secrets.forget(runId);
      this.#onEnded(runId);
    });
    return driver;
  }

  get(runId: string): RunDriver | undefined {
    return this.#drivers.get(runId);
  }

  get open(): readonly RunDriver[] {
    return [...this.#drivers.values()];
  }

  release(): void {
    for (const driver of this.#drivers.values()) driver.release();
  }

  get openIds(): readonly string[] {
    return [...this.#drivers.keys()];
  }
}
