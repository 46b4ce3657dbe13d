/** The backends for jobs: processes of the server's machine, a cluster with Slurm, or a GA4GH TES server. */
export const BACKEND_KINDS = ["local", "slurm", "tes"] as const;
export type BackendKind = (typeof BACKEND_KINDS)[number];
