import type { KillEvidence } from "../records/kill-record.ts";

/** Descriptions of the evidence that all processes of a job have ended. */
export const KILL_EVIDENCE_TEXT: Readonly<Record<KillEvidence, string>> = {
  scans: "three scans of all processes found none",
  cgroup: "the control group is empty",
  groups: "the process group is gone",
  containers: "the container engine lists no container",
  slurm: "three queries of Slurm's queue found no task",
  tes: "the TES server reports no running task",
};
