import type { KillReport, Launch } from "./executor.ts";

/** What the server asks of the runner process. `id` names the job or the question in the answer. */
export type RunnerRequest =
  | { readonly op: "start"; readonly id: number; readonly launch: Launch }
  /** A wrapper that another runner started is alive: it is to be ended with its job. There is no answer. */
  | { readonly op: "adopt"; readonly id: number; readonly pid: number; readonly markers: readonly string[] }
  | { readonly op: "kill"; readonly id: number; readonly marker: string; readonly graceMs: number };

/** Answers come in groups: a message is an array of them. */
export type RunnerAnswer =
  | { readonly op: "ready" }
  | { readonly op: "started"; readonly id: number; readonly pid: number }
  /** The wrapper is gone; `record` is what its record says, empty where there is none. */
  | { readonly op: "ended"; readonly id: number; readonly record: string }
  /** The attempt had been claimed before; nothing was started. */
  | { readonly op: "taken"; readonly id: number }
  | { readonly op: "rejected"; readonly id: number; readonly message: string }
  | { readonly op: "killed"; readonly id: number; readonly report: KillReport }
  | { readonly op: "kill-failed"; readonly id: number; readonly message: string };
