import type { JobExit, Launch } from "./executor.ts";

/** An attempt that an external system runs. Reports once that it runs, and once that it has ended. */
export class RemoteAttempt {
  readonly launch: Launch;
  /** It is being canceled. */
  isKilled = false;
  readonly #started = Promise.withResolvers<string | undefined>();
  readonly #exit = Promise.withResolvers<JobExit>();

  constructor(launch: Launch) {
    this.launch = launch;
  }

  /** Its id in the external system; undefined if it ended before it was seen running. */
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
