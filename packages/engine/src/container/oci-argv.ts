import type { Mount } from "../executor/executor.ts";
import type { ContainerJob } from "./container-engine.ts";
import type { PodmanWorkarounds } from "./podman-workarounds.ts";

/** Arguments for the command lines of docker and podman, other than the job. */
export interface OciFacts {
  readonly program: "docker" | "podman";
  /** True if the engine runs without root: root inside is this user outside. */
  readonly rootless: boolean;
  /** False if the engine would ignore limits and print a warning into the job's stderr. */
  readonly canLimit: boolean;
  /** Extra options that this machine needs; always empty for docker, whose daemon has its own configuration. */
  readonly workarounds: PodmanWorkarounds;
  readonly user: { readonly uid: number; readonly gid: number };
}

/**
 * `docker run` and `podman run` for a job. The container sees a read-only image, the mounts, and no network unless the
 * tool requests it. A small init is its first process and forwards signals; the container disappears when its command
 * ends. The image's ENTRYPOINT applies, and its CMD replaces an empty command line. `hidden`: variables whose values
 * the program finds in its environment. CWL v1.2 CommandLineTool.html#DockerRequirement.
 */
export function ociArgv(
  job: ContainerJob,
  facts: OciFacts,
  hidden: Readonly<Record<string, string>> = {},
): readonly string[] {
  const isPodman = facts.program === "podman";
  return [
    facts.program,
    // Warnings would mix with the job's standard error.
    ...(isPodman ? ["--log-level=error"] : []),
    ...facts.workarounds.everywhere,
    "run",
    "--rm",
    "--interactive",
    "--init",
    "--pull=never",
    "--log-driver=none",
    `--name=${containerName(job)}`,
    `--label=${runLabel(job.runId)}`,
    `--label=${jobLabel(job)}`,
    "--stop-timeout=0",
    "--read-only",
    // Mounts inputs without relabeling, so that no file gets another security label.
    "--security-opt=label=disable",
    ...userFlags(facts),
    ...(isPodman ? ["--http-proxy=false"] : []),
    ...(job.networkAccess ? [] : ["--network=none"]),
    ...facts.workarounds.starting,
    ...(facts.canLimit ? limitFlags(job) : []),
    ...job.mounts.map((mount) => `--mount=${mountText(mount)}`),
    `--workdir=${job.workdir}`,
    ...Object.entries(job.env).map(([name, value]) => `--env=${name}${Object.hasOwn(hidden, name) ? "" : `=${value}`}`),
    job.image.reference,
    ...job.argv,
  ];
}

type ContainerIdentity = Pick<ContainerJob, "runId" | "jobId" | "attempt">;

/** Readable in `podman ps`, and unique: if one attempt is started twice, the engine refuses the second. */
export function containerName({ runId, jobId, attempt }: ContainerIdentity): string {
  return `weft-${runId}-${jobId}-a${attempt}`;
}

export function runLabel(runId: string): string {
  return `weft.run=${runId}`;
}

export function jobLabel({ runId, jobId, attempt }: ContainerIdentity): string {
  return `weft.job=${runId}/${jobId}/${attempt}`;
}

/** Files that the job writes belong to the server's account. */
function userFlags({ program, rootless, user }: OciFacts): readonly string[] {
  if (program === "docker" && rootless) return ["--user=0:0"];
  const flags = [`--user=${user.uid}:${user.gid}`];
  return program === "podman" && rootless ? ["--userns=keep-id", ...flags] : flags;
}

function limitFlags({ limits: { cores, ramMib } }: ContainerJob): readonly string[] {
  return [
    ...(cores === undefined ? [] : [`--cpus=${cores}`]),
    ...(ramMib === undefined ? [] : [`--memory=${ramMib}m`]),
  ];
}

/**
 * A line of comma-separated values, as docker, podman and apptainer parse it. `readOnly`: the program's keyword for
 * read-only.
 */
export function mountText({ source, target, writable }: Mount, readOnly: "readonly" | "ro" = "readonly"): string {
  return ["type=bind", `source=${source}`, `target=${target}`, ...(writable ? [] : [readOnly])]
    .map((field) => (/[",\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field))
    .join(",");
}
