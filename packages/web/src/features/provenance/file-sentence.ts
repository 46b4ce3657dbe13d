import { LARGEST_COUNT } from "@weft/shared/records/largest-count.ts";
import type { FileOccurrence, FileOrigin } from "@weft/shared/records/lineage-record.ts";
import { countText } from "@weft/shared/text/count-text.ts";
import { links } from "../../format/links.ts";

/** A piece of a sentence; with `to`, a link to a page of this app. */
interface SentencePart {
  readonly text: string;
  readonly to?: string;
}

/** The origin of a file and the runs that have read it since, as one sentence with links. */
export function fileSentence(file: FileOccurrence): readonly SentencePart[] {
  return [...what(file), ...readers(file), { text: "." }];
}

function what(file: FileOccurrence): readonly SentencePart[] {
  const { direction, job_id: jobId, origin } = file;
  if (direction === "output") return written(file);
  if (jobId === null) return [{ text: "Given to run " }, runOf(file), { text: ` as ${file.port}` }, ...source(origin)];
  const reader = file.tool === null ? { text: stepText(file.step) } : toolOf(file.tool);
  return [
    { text: "Read by " },
    reader,
    { text: " in run " },
    runOf(file),
    { text: ` as ${file.port}` },
    ...source(origin),
  ];
}

function written(file: FileOccurrence): readonly SentencePart[] {
  const { origin } = file;
  if (origin === null) return [{ text: "Passed on by run " }, runOf(file), { text: " from its inputs" }];
  if (origin.by === "content") return [{ text: "Passed on by run " }, runOf(file), ...source(origin)];
  const isReused = origin.run_id !== file.run_id;
  const reuse = isReused ? [{ text: ", and reused in run " }, runOf(file)] : [];
  return [{ text: "Made" }, ...maker(origin), ...reuse];
}

/** The origin of a file that was read. */
function source(origin: FileOrigin | null): readonly SentencePart[] {
  if (origin === null) return [{ text: "; no run here made it" }];
  return [{ text: origin.by === "job" ? ", made" : ", the same content as made" }, ...maker(origin)];
}

/** ` by threshold 2.0.0 in run X from sub-01.nii` */
function maker(origin: FileOrigin): readonly SentencePart[] {
  const tool = origin.tool === null ? { text: stepText(origin.step) } : toolOf(origin.tool);
  const run = { text: origin.run_name, to: links.run(origin.run_id, { tab: "prov" }) };
  return [{ text: " by " }, tool, { text: " in run " }, run, { text: fromText(origin) }];
}

/** Names two files, or three if there are no more. */
function fromText({ from, from_count: count }: FileOrigin): string {
  if (count === 0) return "";
  const named = count === from.length ? from : from.slice(0, 2);
  const left = count - named.length;
  const rest = left === 0 ? [] : [`${count >= LARGEST_COUNT ? `${left} or more` : left} other files`];
  const parts = [...named, ...rest];
  return ` from ${parts.length === 1 ? parts.join("") : `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}`}`;
}

/** Runs that have read it since are found by its content. */
function readers({
  direction,
  job_id: jobId,
  read_by_runs: runs,
  checksum,
  sha256,
}: FileOccurrence): readonly SentencePart[] {
  const content = sha256 ?? checksum;
  if (runs === 0 || content === null)
    return direction === "input" || jobId !== null ? [] : [{ text: "; not read by any run since" }];
  const count = runs >= LARGEST_COUNT ? `${runs} or more runs` : countText(runs, "run");
  return [{ text: "; its content was read since by " }, { text: count, to: links.files({ checksum: content }) }];
}

function runOf({ run_name: text, run_id: runId }: FileOccurrence): SentencePart {
  return { text, to: links.run(runId, { tab: "prov" }) };
}

function toolOf(tool: NonNullable<FileOrigin["tool"]>): SentencePart {
  return { text: `${tool.id} ${tool.version ?? ""}`.trim(), to: links.tool(tool) };
}

/** A tool within the document of a network has no name but that of its step. */
function stepText(step: string | null): string {
  return step === null || step === "" ? "its tool" : `step ${step}`;
}
