import type { KillEvidence } from "../records/kill-record.ts";

/** How Weft knows that all processes of a job (`it`) have stopped. */
export const KILL_EVIDENCE_TEXT: Readonly<Record<KillEvidence, string>> = {
  scans: "three looks in a row at all processes found none of it",
  cgroup: "the kernel says that its control group is empty",
  groups: "its process group is gone",
  containers: "the container engine lists no container of it",
  slurm: "three looks in a row at Slurm's queue found no task of it",
  tes: "the TES server says that its task has ended, or that there is none",
};
