import type { JobExit, Launch } from "./executor.ts";
import type { Marks } from "./launch-file.ts";

/**
 * Messages about a job, normally `forked` first: the process `pid` records its end; `started`: its program has `pid`;
 * `taken`: another process or server has claimed the attempt, and nothing was run; `rejected`: it cannot be started.
 */
export type StarterMessage =
  | { readonly kind: "forked" | "started"; readonly pid: number }
  | { readonly kind: "ended" | "taken" }
  | Extract<JobExit, { readonly kind: "rejected" }>;

export type StarterListener = (message: StarterMessage) => void;

/** Starts the programs of jobs on this machine. */
export interface JobStarter {
  /** Gets ready for the first job. */
  warm(): void;
  start(launch: Launch, marks: Marks, listener: StarterListener): void;
  /** Waits until all requested jobs have started, and detaches. */
  close(): Promise<void>;
}
