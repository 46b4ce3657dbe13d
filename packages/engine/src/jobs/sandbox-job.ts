import { join } from "node:path";
import type { JobPlan } from "@weft/cwl/model/job-plan.ts";
import { runLater } from "../files/beneath/steps.ts";
import type { Job } from "./job.ts";
import { pathsOf } from "./launch-command.ts";
import type { Reach } from "../files/beneath/reach.ts";
import type { SandboxedLaunch, JobSandbox } from "../sandbox/job-sandbox.ts";

export interface SandboxServices {
  readonly jobSandbox: JobSandbox;
  readonly runsFolder: string;
  readonly reach: Reach;
}

/** Puts a job without a container into a sandbox on this machine. `plan`: with the actual locations of the files. */
export async function sandboxJob(job: Job, plan: JobPlan, services: SandboxServices): Promise<SandboxedLaunch> {
  const { outdir, tmpdir } = pathsOf(job);
  const { staging, inplaceUpdate, networkAccess, stdin, stdout, stderr } = plan;
  const created = (name: string | undefined) => (name === undefined ? undefined : join(outdir, name));
  const runFolder = join(services.runsFolder, job.runId);
  // A link to the server's own files must not expose them to the job.
  const realPath = (path: string) => runLater(services.reach.realPath(path));
  const streams = { stdin, stdout: created(stdout), stderr: created(stderr) };
  const enclosed = { outdir, tmpdir, runFolder, staging, inplaceUpdate, networkAccess, realPath };
  return services.jobSandbox.enclose(enclosed, streams);
}
