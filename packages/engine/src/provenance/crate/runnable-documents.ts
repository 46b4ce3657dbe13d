import { decoded } from "@weft/shared/text/decode-escapes.ts";
import { parseExactJson } from "@weft/shared/json/exact-json.ts";
import type { FileRow, RunRow } from "../../journal/rows.ts";
import { mapObjectFiles } from "../../values/map-files.ts";
import { recordedValues } from "../../values/record-values.ts";
import type { CrateFiles } from "./crate-files.ts";
import { idPart } from "./crate-graph.ts";
import { isReference, namedFiles, resolvedReference, type NamedFile } from "./named-files.ts";

/** The files of a crate with which other programs can run the process again from the unpacked folder. */
export interface RunnableDocuments {
  readonly document: string;
  readonly inputs: string;
  readonly outputs: string | undefined;
}

/**
 * The recorded document, input and output objects with the paths of files in the crate. A file outside the crate keeps
 * its address. Adds the files that the document names itself, such as a script in a default. Call after all other files
 * are known.
 */
export async function runnableDocuments(
  { run, blob }: { readonly run: RunRow; readonly blob: (digest: string) => string },
  files: CrateFiles,
): Promise<RunnableDocuments> {
  const text = blob(run.document);
  const document: unknown = parseExactJson(text);
  const places = new Map<string, string>();
  for (const named of namedFiles(document)) {
    const uri = resolvedReference(named.reference, run.documentUri);
    const place = uri === undefined ? undefined : await files.bring(documentFile(named, uri, run));
    if (place !== undefined) places.set(named.reference, place);
  }
  return {
    document: places.size === 0 ? text : JSON.stringify(withPlaces(document, places)),
    inputs: valuesInCrate(blob(run.inputs), files),
    outputs: run.outputs === null ? undefined : valuesInCrate(blob(run.outputs), files),
  };
}

function valuesInCrate(text: string, files: CrateFiles): string {
  const values = mapObjectFiles(recordedValues(text), (file) => {
    const place = file.location === undefined ? undefined : files.placeOf(file.location);
    if (place === undefined) return file;
    const local = { ...file, location: idPart(place) };
    if (local.class === "File") return local;
    // The document's content is on disk.
    const { listing: _listing, ...folder } = local;
    return folder;
  });
  return `${JSON.stringify(values, null, 2)}\n`;
}

function withPlaces(value: unknown, places: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => withPlaces(item, places));
  if (typeof value !== "object" || value === null) return value;
  const isFile = "class" in value && (value.class === "File" || value.class === "Directory");
  return Object.fromEntries(
    Object.entries(value).map(([field, inner]: [string, unknown]) => {
      const local = (reference: unknown) =>
        typeof reference === "string" && places.has(reference) ? idPart(places.get(reference) ?? "") : reference;
      if (isFile && isReference(field, inner)) return [field, local(inner)];
      if (field === "$schemas" && Array.isArray(inner)) return [field, inner.map(local)];
      return [field, withPlaces(inner, places)];
    }),
  );
}

/** The record of a file, as if a job had read it. */
function documentFile(named: NamedFile, uri: string, run: RunRow): FileRow {
  return {
    id: 0,
    runId: run.runId,
    jobId: null,
    step: null,
    sampleId: null,
    direction: "input",
    port: "document",
    place: "",
    class: named.class,
    name: decoded(uri.replace(/\/$/, "").split("/").at(-1) ?? ""),
    uri,
    sourceUri: null,
    checksum: null,
    sha256: null,
    size: null,
    timeMs: run.createdMs,
  };
}
