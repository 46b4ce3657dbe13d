import { join } from "node:path";
import type { JobPlan } from "@weft/cwl/model/job-plan.ts";
import type { JobSandbox } from "@weft/shared/records/sandbox-record.ts";
import { runLater } from "../files/beneath/steps.ts";
import type { Job, JobControl } from "./job.ts";
import { pathsOf } from "./launch-command.ts";
import type { Reach } from "../files/beneath/reach.ts";
import type { JobSandbox as OpenSandbox } from "../sandbox/job-sandbox.ts";

/** How a job is closed in; nothing where a container or another backend holds it. */
export interface Closed {
  readonly sandbox?: JobSandbox | undefined;
  readonly words?: readonly string[] | undefined;
}

export interface SandboxServices {
  readonly jobSandbox: OpenSandbox;
  readonly runsFolder: string;
  readonly reach: Reach;
}

interface Closing extends Pick<JobControl, "reattached" | "sandbox"> {
  readonly services: SandboxServices;
  readonly isContained: boolean;
}

/** Of a reattached job, which was closed in when it started, what the log says. `plan`: with the files where they are. */
export async function sandboxJob(job: Job, plan: JobPlan, closing: Closing): Promise<Closed> {
  const { services, isContained, reattached, sandbox } = closing;
  if (reattached) return { sandbox: sandbox ?? undefined };
  if (isContained || job.backend !== "local") return {};
  const { outdir, tmpdir } = pathsOf(job);
  const { staging, inplaceUpdate, networkAccess, stdin, stdout, stderr } = plan;
  const created = (name: string | undefined) => (name === undefined ? undefined : join(outdir, name));
  const runFolder = join(services.runsFolder, job.runId);
  const closed = await services.jobSandbox.enclose({
    ...{ outdir, tmpdir, runFolder },
    ...{ staging, inplaceUpdate, networkAccess },
    // A link to the server's own files must not expose them to the job.
    realPath: (path) => runLater(services.reach.realPath(path)),
    streams: { stdin, stdout: created(stdout), stderr: created(stderr) },
  });
  return { sandbox: closed.record, words: closed.words };
}
