import type { CrateGraph } from "./crate-graph.ts";
import type { CratePart } from "./crate-part.ts";
import { addRecord } from "./crate-record.ts";
import type { CrateRecord } from "./crate-record.ts";
import type { CrateRequest } from "./crate-request.ts";
import { runActionId } from "./describe-run.ts";
import type { ProcessIds } from "./process-ids.ts";

/** The recorded document, input and output objects of the run, and additional records. */
export function addDocuments(
  { source, records }: CrateRequest,
  graph: CrateGraph,
  ids: ProcessIds,
): { readonly ids: readonly string[]; readonly parts: readonly CratePart[] } {
  const { run, blob } = source;
  const json = (name: string, title: string, digest: string): CrateRecord => ({
    name,
    title,
    text: blob(digest),
    mediaType: "application/json",
  });
  const texts = [
    json("inputs.json", "Input object of the run", run.inputs),
    ...(run.outputs === null ? [] : [json("outputs.json", "Output object of the run", run.outputs)]),
    ...records,
  ];
  const about = graph.has(runActionId(run.runId)) ? runActionId(run.runId) : "./";
  return {
    ids: [ids.file, ...texts.map((record) => addRecord(graph, record, about))],
    parts: [{ name: ids.file, text: blob(run.document) }, ...texts].map(({ name, text }) => ({
      kind: "text",
      name,
      text,
    })),
  };
}
