import type { JobExit, Launch } from "./executor.ts";

/** An attempt that a system beside this server runs: told that it runs and that it has ended, once each. */
export class RemoteAttempt {
  readonly launch: Launch;
  /** It was told to end. */
  isKilled = false;
  readonly #started = Promise.withResolvers<string | undefined>();
  readonly #exit = Promise.withResolvers<JobExit>();

  constructor(launch: Launch) {
    this.launch = launch;
  }

  /** By which name of that system's it runs; undefined where it ended before it was seen to run. */
  get started(): Promise<string | undefined> {
    return this.#started.promise;
  }

  get exit(): Promise<JobExit> {
    return this.#exit.promise;
  }

  runs(id: string): void {
    this.#started.resolve(id);
  }

  end(exit: JobExit): void {
    this.#started.resolve(undefined);
    this.#exit.resolve(exit);
  }
}
