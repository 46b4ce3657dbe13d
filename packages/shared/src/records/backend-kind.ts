/** Where jobs can run: as processes of the server's machine, or on a cluster that Slurm looks after. */
export const BACKEND_KINDS = ["local", "slurm"] as const;
export type BackendKind = (typeof BACKEND_KINDS)[number];
