import { Flag } from "./flag.ts";

// Flags that several commands share. Importing this file loads no part of the engine, so that help is fast.

export const STATE = new Flag("--state <DIR>", "state folder (default .weft)");
export const JOBS = new Flag("--jobs <N>", "maximum number of parallel jobs (default: as many as fit)");
export const QUIET = new Flag("--quiet", "print errors only");
export const JSON_OUTPUT = new Flag("--json", "print the result as JSON");
export const OUTDIR = new Flag("--outdir <DIR>", "folder for the outputs (default: current folder)");
export const CATALOG = new Flag("--catalog <DIR>", "folder of tools and networks (default: the shipped catalog)");
export const DATA = new Flag("--data <NAME=DIR>", "data root that inputs may come from", "list");

export const LIMIT = new Flag("--limit <NAME=N>", "change a limit (docs/reference/limits.md)", "list");
export const BACKEND = new Flag("--backend <local|slurm|tes>", "where jobs run (default local)");
export const SANDBOX = new Flag("--sandbox <HOW>", "auto, required or none (default: auto for serve, otherwise none)");
const NO_CONTAINER = new Flag("--no-container", "same as --container none: run tools without containers");
export const CONTAINER = new Flag(
  "--container <ENGINE>",
  "auto (default), docker, podman, apptainer, singularity or none",
);
const MAX_DOWNLOAD_BYTES = new Flag("--max-download-bytes <N>", "maximum size of one download (default 10 GiB)");
const HOSTS = "hosts to download from (default: none for serve, otherwise all)";
const ALLOW_HTTP = new Flag("--allow-http <HOST,…>", HOSTS, "list");
export const DOWNLOAD_FLAGS = [ALLOW_HTTP, MAX_DOWNLOAD_BYTES];
const EVAL_TIMEOUT = new Flag("--eval-timeout <SECONDS>", "maximum time for one expression (default 20)");

/** The flags about running jobs, for every command that runs jobs. */
export const JOB_FLAGS = [JOBS, BACKEND, CONTAINER, SANDBOX, LIMIT, ALLOW_HTTP];
export const FURTHER_JOB_FLAGS = [NO_CONTAINER, EVAL_TIMEOUT, MAX_DOWNLOAD_BYTES];

export const MAIN_OIDC_FLAGS = [
  new Flag("--oidc-issuer <URL>", "identity provider"),
  new Flag("--oidc-audience <NAME>", "audience that tokens must have"),
];
export const FURTHER_OIDC_FLAGS = [
  new Flag("--oidc-name-claim <CLAIM>", "token claim with the user name (default sub)"),
  new Flag("--oidc-role-claim <CLAIM>", "token claim with the roles (default roles)"),
  new Flag("--oidc-role-map <ROLE=VALUE>", "claim value that grants a role", "list"),
];
export const OIDC_FLAGS = [...MAIN_OIDC_FLAGS, ...FURTHER_OIDC_FLAGS];

/** Creates new flags for a command that listens, or that checks whether it can. */
export const addressFlags = () => [
  new Flag("--host <HOST>", "listen address (default 127.0.0.1)"),
  new Flag("--port <PORT>", "listen port; 0 picks a free one (default 8080)"),
  new Flag("--base-url <URL>", "public URL of the server (default: the listen address)"),
];

export const NO_CONTROL_GROUPS = new Flag("--no-control-groups", "do not put jobs into control groups");
