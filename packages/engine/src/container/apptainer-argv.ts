import { CwlFailure } from "@weft/cwl/cwl-failure.ts";
import type { Mount } from "../executor/executor.ts";
import type { ContainerCommand, ContainerJob } from "./container-engine.ts";
import { mountText } from "./oci-argv.ts";

export type ApptainerProgram = "apptainer" | "singularity";

/**
 * `apptainer exec` (or `singularity exec`) for a job. The command is a child of the program, in its own process and
 * network namespaces; memory and cores are not limited. The job's variables go through the program's environment,
 * because its flag for them splits values at commas. `exec` ignores an ENTRYPOINT; for an empty command line, `run`
 * starts the image's own command.
 */
export function apptainerCommand(
  job: ContainerJob,
  program: ApptainerProgram,
  clientEnv: Readonly<Record<string, string>>,
): ContainerCommand {
  const { HOME: _home, ...variables } = job.env;
  const prefix = `${program.toUpperCase()}ENV_`;
  return {
    argv: [
      program,
      "--quiet",
      job.argv.length === 0 ? "run" : "exec",
      "--contain",
      "--cleanenv",
      "--ipc",
      "--pid",
      ...(program === "apptainer" ? ["--no-eval"] : []),
      ...(job.networkAccess ? [] : ["--net", "--network=none"]),
      // HOME cannot be set like other variables.
      ...homeFlags(job),
      ...job.mounts.filter(({ target }) => target !== job.workdir).map((mount) => bindFlag(mount, program)),
      "--pwd",
      job.workdir,
      job.image.reference,
      ...job.argv,
    ],
    env: {
      ...clientEnv,
      ...Object.fromEntries(Object.entries(variables).map(([name, value]) => [`${prefix}${name}`, value])),
    },
  };
}

function homeFlags({ mounts, workdir }: ContainerJob): readonly string[] {
  const outdir = mounts.find(({ target }) => target === workdir);
  return outdir === undefined ? [] : ["--home", `${plainPath(outdir.source)}:${plainPath(workdir)}`];
}

function bindFlag(mount: Mount, program: ApptainerProgram): string {
  if (program === "apptainer") return `--mount=${mountText(mount, "ro")}`;
  return `--bind=${plainPath(mount.source)}:${plainPath(mount.target)}:${mount.writable ? "rw" : "ro"}`;
}

/** Colons and commas separate paths here and cannot be escaped. */
function plainPath(path: string): string {
  if (!/[:,]/.test(path)) return path;
  throw new CwlFailure(
    "STAGE_IN",
    `\`${path}\` contains a colon or a comma, so this container engine cannot mount it`,
    {
      hint: "rename it, or use docker or podman",
    },
  );
}
