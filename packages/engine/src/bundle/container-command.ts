import type { JobPlan } from "@weft/cwl/model/job-plan.ts";
import { apptainerCommand } from "../container/apptainer-argv.ts";
import type { Containment } from "../jobs/job-container.ts";
import type { ContainerJob } from "../container/container-engine.ts";
import { ociArgv } from "../container/oci-argv.ts";
import { NO_WORKAROUNDS } from "../container/podman-workarounds.ts";
import { containerEnvironment } from "../jobs/launch-command.ts";
import type { BoundJob } from "../jobs/job.ts";
import type { RunScript } from "./run-script.ts";
import { IMAGE, shellWord } from "./shell-text.ts";

/** Options that matter only on the server that ran the job: user, bookkeeping and image store. */
const OF_THE_SERVER = /^--(?:name|label|pull|log-driver|user|userns)=/;

interface Contained {
  readonly containment: Containment;
  /** Replaces paths of this machine with marks. */
  readonly text: (text: string) => string;
}

/**
 * The script lines that run a job in its container, derived from the command line that the engine receives.
 * `WEFT_ENGINE` and `WEFT_IMAGE` select another program or image.
 */
export function containerCommand(
  job: BoundJob,
  plan: JobPlan,
  { containment, text }: Contained,
): Pick<RunScript, "checks" | "preparation" | "command"> {
  // A user who repeats a TES job is more likely to have a local container engine than a TES server.
  const kind = containment.engine.kind === "tes" ? "docker" : containment.engine.kind;
  const described = describe(job, plan, containment);
  const words = (list: readonly string[]) => list.map((word) => shellWord(text(word)));
  const isOci = kind === "docker" || kind === "podman";
  const reference = isOci ? containment.choice.source.name : `docker://${containment.choice.source.name}`;
  const preparation = [
    "# The container.",
    `engine=\${WEFT_ENGINE:-${kind}}`,
    `image=\${WEFT_IMAGE:-${shellWord(reference)}}`,
  ];
  if (!isOci) return { checks: [PLAIN_PATHS], preparation, command: apptainerLine(described, kind, words) };
  const [, ...flags] = ociArgv(described, {
    program: kind,
    rootless: false,
    canLimit: true,
    workarounds: NO_WORKAROUNDS,
    user: { uid: 0, gid: 0 },
  });
  const at = flags.indexOf("run") + 1;
  const kept = flags.filter((word, index) => index > flags.indexOf(IMAGE) || !OF_THE_SERVER.test(word));
  return {
    checks: [PLAIN_PATHS],
    preparation: [...preparation, ...USER],
    command: ['"$engine"', ...words(kept.slice(0, at)), "$user", ...words(kept.slice(at))].join(" \\\n  "),
  };
}

/** Container engines use these characters as separators in mount options. */
const PLAIN_PATHS =
  'case $bundle$job in *[:,\\"]*) echo "run.sh: the path of a mounted folder must not contain a colon, comma or quotation mark" >&2; exit 2 ;; esac';

/** The files that the job writes should belong to the person who runs the script. */
const USER = [
  'user="--user=$(id -u):$(id -g)"',
  'case $engine in *podman) [ "$(id -u)" = 0 ] || user="--userns=keep-id $user" ;; esac',
];

function apptainerLine(
  job: ContainerJob,
  program: "apptainer" | "singularity",
  words: (list: readonly string[]) => readonly string[],
): string {
  const { argv, env } = apptainerCommand(job, program, {});
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  return ["env", ...words(variables), '"$engine"', ...words(argv.slice(1))].join(" \\\n  ");
}

function describe(job: BoundJob, plan: JobPlan, { choice, view, limits }: Containment): ContainerJob {
  return {
    runId: job.runId,
    jobId: job.jobId,
    attempt: job.attempt,
    image: { name: choice.source.name, reference: IMAGE, digest: null },
    argv: plan.argv,
    env: containerEnvironment(plan.runtime, plan.environment),
    workdir: plan.runtime.outdir,
    mounts: view.mounts,
    networkAccess: plan.networkAccess,
    limits,
  };
}
