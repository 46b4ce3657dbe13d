import { join, sep } from "node:path";
import { hashOpenFile } from "../../files/hash-file.ts";
import { servableFile } from "../../files/servable-file.ts";
import type { JobRow } from "../../journal/rows.ts";
import { factsOf } from "./crate-files.ts";
import { idPart, ref } from "./crate-graph.ts";
import type { CrateGraph } from "./crate-graph.ts";
import type { CratePart } from "./crate-part.ts";
import type { CrateRequest } from "./crate-request.ts";
import { jobActionId } from "./describe-job.ts";

interface LogFile {
  readonly name: string;
  readonly action: string;
  readonly path: string;
}

/** The standard streams of every attempt that wrote any and did not declare them as outputs. */
export async function addLogs(
  request: CrateRequest,
  graph: CrateGraph,
): Promise<{ readonly ids: readonly string[]; readonly parts: readonly CratePart[] }> {
  const ids: string[] = [];
  const parts: CratePart[] = [];
  for (const log of request.source.jobs.flatMap((job) => logsOf(job, request))) {
    const found = await servableFile(log.path, request.logReach);
    if (found === undefined || found.size === 0 || !graph.has(log.action)) continue;
    using file = await found.open();
    const { sha1, sha256, sizeBytes } = await hashOpenFile(file, log.path);
    const id = idPart(log.name);
    graph.add({
      "@id": id,
      "@type": "File",
      name: log.name.slice("logs/".length),
      about: ref(log.action),
      ...factsOf({ checksum: sha1, sha256, size: sizeBytes }, log.name),
    });
    ids.push(id);
    parts.push({ kind: "file", name: log.name, open: found.open });
  }
  return { ids, parts };
}

function logsOf(job: JobRow, { attemptFolder }: CrateRequest): LogFile[] {
  if (job.command === null) return [];
  return Array.from({ length: job.attempt }, (_, index) => index + 1).flatMap((attempt) => {
    const folder = attemptFolder({ jobId: job.jobId, attempt });
    const isLast = attempt === job.attempt;
    const action = isLast ? jobActionId(job.jobId) : `${jobActionId(job.jobId)}/attempt/${attempt}`;
    const place = isLast ? `logs/${job.jobId}` : `logs/${job.jobId}/attempt-${attempt}`;
    return (["stdout", "stderr"] as const)
      .filter((stream) => job.command?.[stream]?.includes(`${sep}out${sep}`) !== true)
      .map((stream) => ({ name: `${place}/${stream}.txt`, action, path: join(folder, stream) }));
  });
}
