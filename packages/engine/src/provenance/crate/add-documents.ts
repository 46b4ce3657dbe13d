import type { CrateGraph } from "./crate-graph.ts";
import type { CratePart } from "./crate-part.ts";
import { addRecord } from "./crate-record.ts";
import type { CrateRecord } from "./crate-record.ts";
import type { CrateRequest } from "./crate-request.ts";
import { runActionId } from "./describe-run.ts";
import type { ProcessIds } from "./process-ids.ts";
import type { RunnableDocuments } from "./runnable-documents.ts";

export interface DocumentSurroundings {
  readonly graph: CrateGraph;
  readonly ids: ProcessIds;
  readonly runnable: RunnableDocuments;
}

/** The document, input and output objects of the run, and additional records. */
export function addDocuments(
  { source: { run }, records }: Pick<CrateRequest, "source" | "records">,
  { graph, ids, runnable }: DocumentSurroundings,
): { readonly ids: readonly string[]; readonly parts: readonly CratePart[] } {
  const { document, inputs, outputs } = runnable;
  const mediaType = "application/json";
  const texts: readonly CrateRecord[] = [
    { name: "inputs.json", title: "Input object of the run", text: inputs, mediaType },
    ...(outputs === undefined
      ? []
      : [{ name: "outputs.json", title: "Output object of the run", text: outputs, mediaType }]),
    ...records,
  ];
  const about = graph.has(runActionId(run.runId)) ? runActionId(run.runId) : "./";
  return {
    ids: [ids.file, ...texts.map((record) => addRecord(graph, record, about))],
    parts: [{ name: ids.file, text: document }, ...texts].map(({ name, text }) => ({
      kind: "text",
      name,
      text,
    })),
  };
}
