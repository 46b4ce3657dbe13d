/** Where jobs can run: as processes of the server's machine, on a cluster that Slurm manages, or at a GA4GH TES server. */
export const BACKEND_KINDS = ["local", "slurm", "tes"] as const;
export type BackendKind = (typeof BACKEND_KINDS)[number];
