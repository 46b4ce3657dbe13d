import type { KillReport, Launch } from "./executor.ts";

/** What the server asks of the runner process. `id` names the job or the question in the answer. */
export type RunnerRequest =
  | { readonly op: "start"; readonly id: number; readonly launch: Launch }
  | { readonly op: "kill"; readonly id: number; readonly marker: string; readonly graceMs: number };

export type RunnerAnswer =
  | { readonly op: "ready" }
  | { readonly op: "started"; readonly id: number; readonly pid: number }
  /** The wrapper ended; `record` is what its exit file says then, empty where there is none. */
  | { readonly op: "ended"; readonly id: number; readonly wrapperCode: number | null; readonly record: string }
  | { readonly op: "rejected"; readonly id: number; readonly message: string }
  | { readonly op: "killed"; readonly id: number; readonly report: KillReport }
  | { readonly op: "kill-failed"; readonly id: number; readonly message: string };
