import { hash } from "node:crypto";
import type { Process } from "@weft/cwl/model/process.ts";
import { shellLine } from "@weft/shared/records/shell-line.ts";
import type { StateReason } from "@weft/shared/records/state.ts";
import { recordedValues } from "../../values/record-values.ts";
import type { FailedAttempt, FileRow, JobRow } from "../../journal/rows.ts";
import { crateTime, idPart, ref, refs, type CrateGraph } from "./crate-graph.ts";
import { describeValues } from "./describe-values.ts";
import type { CrateContext } from "./crate-source.ts";
import type { JobContainer } from "@weft/shared/records/job-container.ts";
import { qualifiedReference } from "../../container/image-source.ts";

export interface JobToDescribe {
  readonly job: JobRow;
  readonly process: Process;
  readonly files: readonly FileRow[];
}

/** A job as one action per attempt, including failed ones. Returns the ids, in order. */
export async function describeJob(described: JobToDescribe, context: CrateContext): Promise<readonly string[]> {
  const { job, files } = described;
  const { graph } = context;
  const object = refs(await describeSide(described, "in", context));
  const shared = { ...common(described, context), object };
  const attempts = job.attempts.map((attempt) => describeAttempt(job.jobId, attempt, { graph, shared }));
  if (job.startedMs === null) return attempts;
  const result = files.some(({ direction }) => direction === "output") || job.outputs !== null;
  const id = jobActionId(job.jobId);
  graph.add({
    "@id": id,
    ...shared,
    startTime: crateTime(job.startedMs),
    endTime: crateTime(job.endedMs ?? job.startedMs),
    result: result ? refs(await describeSide(described, "out", context)) : undefined,
    ...statusOf(job.state, job.reason, job.exitCode),
    resourceUsage: refs(usageOf(graph, id, job)),
  });
  return [...attempts, id];
}

export function jobActionId(jobId: string): string {
  return `#job/${idPart(jobId)}`;
}

function describeSide(
  { job, process, files }: JobToDescribe,
  direction: "in" | "out",
  context: CrateContext,
): Promise<readonly string[]> {
  const digest = direction === "in" ? job.inputs : job.outputs;
  const values = digest === null ? {} : recordedValues(context.source.blob(digest));
  const rows = files.filter((file) => file.direction === (direction === "in" ? "input" : "output"));
  return describeValues({ owner: job.jobId, direction, process, values, rows }, context);
}

/** The common properties of all attempts of a job. */
function common({ job, process }: JobToDescribe, { graph, ids, person }: CrateContext) {
  const { step, sampleId, command, container } = job;
  const name = [step === "" ? process.name : step, ...(sampleId === null ? [] : [`(${sampleId})`])].join(" ");
  return {
    "@type": "CreateAction",
    name,
    instrument: ref(ids.of(process)),
    description: [...earlierResult(job), ...(command === null ? [toolText(job)] : [shellLine(command)])].join(" "),
    agent: ref(person),
    environment: refs(environmentOf(graph, job)),
    containerImage: refs(container === null ? [] : describeContainer(graph, container)),
  };
}

/** A cache hit has the times of its reuse, and no resource usage. */
function earlierResult({ cache }: JobRow): readonly string[] {
  if (cache?.decision !== "hit") return [];
  const { job } = cache;
  const of = job === undefined ? "an earlier job" : `the job ${job.job_id} of the run ${job.run_id}`;
  return [`Not run again: reused the result of ${of}, which ran:`];
}

/** A process without a command line was evaluated by the engine. */
function toolText({ tool: { class: of, id, version } }: JobRow): string {
  return [of, id ?? "of the document", version ?? ""].join(" ").trim();
}

function describeAttempt(
  jobId: string,
  attempt: FailedAttempt,
  { graph, shared }: { readonly graph: CrateGraph; readonly shared: ReturnType<typeof common> },
): string {
  const id = `${jobActionId(jobId)}/attempt/${attempt.attempt}`;
  return graph.add({
    "@id": id,
    ...shared,
    name: `${shared.name}, attempt ${attempt.attempt}`,
    startTime: crateTime(attempt.startedMs ?? attempt.endedMs),
    endTime: crateTime(attempt.endedMs),
    ...statusOf(attempt.state, attempt.reason, attempt.exitCode),
    resourceUsage: refs(usageOf(graph, id, attempt)),
  });
}

/** An ended action is either completed or failed. */
export function statusOf(state: string, reason: StateReason | null, exitCode: number | null) {
  if (state === "COMPLETE") return { actionStatus: "http://schema.org/CompletedActionStatus" };
  const code = exitCode === null || exitCode === 0 ? "" : ` (exit code ${exitCode})`;
  const error = `${reason === null ? state : `${reason.code}: ${reason.message}`}${code}`;
  return { actionStatus: "http://schema.org/FailedActionStatus", error };
}

/** Folders of the job: they differ each time and carry no meaning. */
const FOLDERS: ReadonlySet<string> = new Set(["HOME", "TMPDIR"]);

/** Most jobs share one environment, which is described once. */
function environmentOf(graph: CrateGraph, { command }: JobRow): readonly string[] {
  return Object.entries(command?.env ?? {})
    .filter(([name]) => !FOLDERS.has(name))
    .map(([name, value]) => {
      const id = `#environment/${idPart(name)}/${hash("sha256", value).slice(0, 12)}`;
      return graph.addOnce({ "@id": id, "@type": "PropertyValue", name, value });
    });
}

/** Units from the QUDT vocabulary. */
function usageOf(
  graph: CrateGraph,
  action: string,
  { cpuMs, maxRssBytes }: Pick<JobRow, "cpuMs" | "maxRssBytes">,
): readonly string[] {
  const measures = [
    { name: "cpuTime", value: cpuMs, unitCode: "https://qudt.org/vocab/unit/MilliSEC" },
    { name: "maxResidentSetSize", value: maxRssBytes, unitCode: "https://qudt.org/vocab/unit/BYTE" },
  ];
  return measures.flatMap(({ name, value, unitCode }) =>
    value === null
      ? []
      : graph.add({
          "@id": `${action}/usage/${name}`,
          "@type": "PropertyValue",
          name,
          propertyID: `https://w3id.org/ro/terms/weft#${name}`,
          unitCode,
          value: String(value),
        }),
  );
}

const TERMS = "https://w3id.org/ro/terms/workflow-run#";

/** The image of a job; none if it ran without one. Returns its id. */
function describeContainer(graph: CrateGraph, container: JobContainer): readonly string[] {
  if (container.engine === "none") return [];
  const { image, digest, engine } = container;
  const isFile = engine === "apptainer" || engine === "singularity";
  const { registry, name, tag } = imageParts(image);
  return [
    graph.addOnce({
      "@id": `#container/${encodeURIComponent(digest ?? `${engine}/${image}`)}`,
      "@type": "ContainerImage",
      additionalType: ref(TERMS + (isFile ? "SIFImage" : "DockerImage")),
      registry,
      name,
      tag,
      ...(digest === null ? {} : { sha256: digest.replace(/^sha256:/, "") }),
    }),
  ];
}

/** `docker.io/library/debian:stable` → registry, name and tag. */
function imageParts(image: string) {
  const [, registry = "", rest = ""] = /^([^/]+)\/(.+)$/.exec(qualifiedReference(image)) ?? [];
  const [named = rest] = rest.split("@");
  const colon = named.lastIndexOf(":");
  return colon < 0
    ? { registry, name: named, tag: "latest" }
    : { registry, name: named.slice(0, colon), tag: named.slice(colon + 1) };
}
