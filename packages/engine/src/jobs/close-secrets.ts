import { fileURLToPath } from "node:url";
import type { CwlObject } from "@weft/cwl/model/cwl-value.ts";
import { filesOf } from "../values/map-files.ts";
import type { JobEnd } from "./job-events.ts";
import type { Job } from "./job.ts";
import type { RunSecrets } from "../secrets/run-secrets.ts";
import { wipeJob } from "../secrets/wipe-job.ts";

/** Removes secrets from the texts of a job's end and from its folder, so that the end can be recorded. */
export function closeSecrets(job: Pick<Job, "folder">, end: JobEnd, secrets: RunSecrets): JobEnd {
  if (secrets.isEmpty) return end;
  const { outcome, stderrTail } = end;
  const tail = stderrTail === undefined ? {} : { stderrTail: secrets.redact(stderrTail) };
  if (outcome.status === "success") {
    wipeJob(job.folder, new Set(pathsIn(outcome.outputs)));
    return { ...end, ...tail, outcome: { ...outcome, outputs: secrets.conceal(outcome.outputs) } };
  }
  wipeJob(job.folder);
  if (outcome.status === "canceled") return { ...end, ...tail };
  const reason = { ...outcome.reason, message: secrets.redact(outcome.reason.message) };
  return { ...end, ...tail, outcome: { ...outcome, reason } };
}

function pathsIn(outputs: CwlObject): readonly string[] {
  return filesOf(outputs).flatMap(({ file: { location } }) =>
    location?.startsWith("file:") === true ? [fileURLToPath(location)] : [],
  );
}
