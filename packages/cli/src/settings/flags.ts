import { Flag } from "./flag.ts";

// Flags that several commands have. Importing this file loads no part of the engine, so that help is fast.

export const STATE = new Flag("--state <DIR>", "the state folder (default .weft)");
export const JOBS = new Flag("--jobs <N>", "most jobs at once");
export const QUIET = new Flag("--quiet", "write errors only");
export const JSON_OUTPUT = new Flag("--json", "write the result as JSON");
export const OUTDIR = new Flag("--outdir <DIR>", "folder for the outputs (default: the current one)");
export const CATALOG = new Flag("--catalog <DIR>", "folder of tools and networks");
export const DATA = new Flag("--data <NAME=DIR>", "folder of input files, under a name", { isList: true });

export const LIMIT = new Flag("--limit <NAME=N>", "changes a limit (docs/limits.md)", { isList: true });
export const BACKEND = new Flag("--backend <local|slurm|tes>", "where jobs run (docs/backends; default local)");
export const SANDBOX = new Flag(
  "--sandbox <HOW>",
  "what tools without a container see of the system: auto (restricted where bubblewrap works; default of serve), " +
    "required or none (default of the other commands)",
);
export const CONTAINER_FLAGS = [
  new Flag(
    "--container <ENGINE>",
    "auto (the first that works, the default), docker, podman, apptainer, singularity or none",
  ),
  new Flag("--no-container", "as --container none: tools that ask for a container use programs of this machine"),
];
export const DOWNLOAD_FLAGS = [
  new Flag("--allow-http <HOST,…>", "hosts from which files may be downloaded", { isList: true }),
  new Flag("--max-download-bytes <N>", "largest file that is downloaded"),
];
/** How jobs run, for every command that runs any. */
export const JOB_FLAGS = [
  JOBS,
  BACKEND,
  ...CONTAINER_FLAGS,
  SANDBOX,
  new Flag("--eval-timeout <SECONDS>", "longest time for one expression"),
  LIMIT,
  ...DOWNLOAD_FLAGS,
];
export const OIDC_FLAGS = [
  new Flag("--oidc-issuer <URL>", "the identity provider"),
  new Flag("--oidc-audience <NAME>", "audience that its tokens must have"),
  new Flag("--oidc-name-claim <CLAIM>", "claim with the name of the user (default sub)"),
  new Flag("--oidc-role-claim <CLAIM>", "claim with the roles (default roles)"),
  new Flag("--oidc-role-map <ROLE=VALUE>", "value of that claim for a role of Weft", { isList: true }),
];
