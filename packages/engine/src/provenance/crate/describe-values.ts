import type { CwlObject, CwlValue } from "@weft/cwl/model/cwl-value.ts";
import type { Process } from "@weft/cwl/model/process.ts";
import { isFileOrDirectory } from "../../values/map-files.ts";
import type { FileRow } from "../../journal/rows.ts";
import { idPart, ref, refs, type Reference } from "./crate-graph.ts";
import type { CrateContext } from "./crate-source.ts";

export interface ValuesToDescribe {
  /** `run` or the id of a job. */
  readonly owner: string;
  readonly direction: "in" | "out";
  readonly process: Process;
  readonly values: CwlObject;
  /** Files of these values, in order. */
  readonly rows: readonly FileRow[];
}

type ValueContext = Pick<CrateContext, "graph" | "ids" | "files">;

/**
 * The inputs or outputs of an action: files, folders, files with secondary files, and plain values. Returns the ids.
 */
export async function describeValues(described: ValuesToDescribe, context: ValueContext): Promise<readonly string[]> {
  const { values, rows } = described;
  const found: string[] = [];
  const besideOf = Map.groupBy(rows, primaryOf);
  const locations = new Map(rows.map((row) => [placeOf(row.port, row.place), row.uri]));
  const lists = new Map<string, string[]>();
  for (const row of rows) {
    const parameter = isWithin(row) ? undefined : parameterOf(row.port, described, context);
    const beside = besideOf.get(placeOf(row.port, row.place)) ?? [];
    const primary = locations.get(primaryOf(row) ?? "");
    const id = await context.files.add(row, beside.length === 0 ? parameter : undefined, primary);
    if (isWithin(row)) continue;
    if (/^\[\d+\]$/.test(row.place)) lists.set(row.port, [...(lists.get(row.port) ?? []), id]);
    found.push(beside.length === 0 ? id : await collect({ row, beside, id, parameter }, described, context));
  }
  for (const [port, value] of Object.entries(values))
    if (value !== null && !isOfFiles(value))
      found.push(addValue(port, fieldsOf(port, value, described, context) ?? plainText(value), described, context));
  const isOfRun = described.process === context.ids.main && described.direction === "in";
  for (const [port, ids] of isOfRun ? lists : []) found.push(addValue(port, refs(ids), described, context));
  return found;
}

/** True for secondary files and folder members, which belong to another value. */
function isWithin({ place }: FileRow): boolean {
  return /\.(secondaryFiles|listing)\[/.test(place);
}

/** The path of the primary File; undefined for a file that is not a secondary file. */
function primaryOf({ port, place }: FileRow): string | undefined {
  const end = place.indexOf(".secondaryFiles[");
  return end === -1 ? undefined : placeOf(port, place.slice(0, end));
}

function placeOf(port: string, place: string): string {
  return JSON.stringify([port, place]);
}

function isOfFiles(value: CwlValue): boolean {
  if (Array.isArray(value))
    return value.length > 0 && value.every((item: CwlValue) => item === null || isOfFiles(item));
  return isFileOrDirectory(value) && value.location !== undefined;
}

function parameterOf(
  port: string,
  { process, direction }: ValuesToDescribe,
  { ids }: ValueContext,
): string | undefined {
  const declared = direction === "in" ? process.inputs : process.outputs;
  const isKnown = declared.some(({ id }) => id === port);
  return isKnown ? ids.parameter(process, direction, port) : undefined;
}

/** A file with its secondary files. */
interface Collected {
  readonly row: FileRow;
  readonly beside: readonly FileRow[];
  readonly id: string;
  readonly parameter: string | undefined;
}

async function collect(
  { row, beside, id, parameter }: Collected,
  { owner, direction }: ValuesToDescribe,
  { graph, files }: ValueContext,
): Promise<string> {
  const members = [id];
  for (const other of beside) members.push(await files.add(other, undefined, row.uri));
  return graph.add({
    "@id": `#collection/${idPart(owner)}/${direction}/${idPart(row.port + row.place)}`,
    "@type": "Collection",
    name: row.name,
    mainEntity: ref(id),
    hasPart: refs(members),
    exampleOfWork: refs(parameter === undefined ? [] : [parameter]),
  });
}

/** Adds a value: strings, or references to files or to the fields of a record. */
function addValue(port: string, value: unknown, described: ValuesToDescribe, context: ValueContext): string {
  const parameter = parameterOf(port, described, context);
  return context.graph.add({
    "@id": `#value/${idPart(described.owner)}/${described.direction}/${idPart(port)}`,
    "@type": "PropertyValue",
    name: port,
    value,
    exampleOfWork: refs(parameter === undefined ? [] : [parameter]),
  });
}

/** A record of plain values has an entity for each field. */
function fieldsOf(
  port: string,
  value: CwlValue,
  { owner, direction }: ValuesToDescribe,
  { graph }: ValueContext,
): readonly Reference[] | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value) || isFileOrDirectory(value)) return undefined;
  const fields = Object.entries(value as CwlObject); // the rest of the union is a record
  if (!fields.every(([, field]) => isPlain(field) && field !== null)) return undefined;
  const id = (field: string) => `#value/${idPart(owner)}/${direction}/${idPart(port)}/${idPart(field)}`;
  return refs(
    fields.map(([field, inner]) =>
      graph.add({ "@id": id(field), "@type": "PropertyValue", name: field, value: plainText(inner) }),
    ),
  );
}

/** Lists of plain values stay lists; structured values become JSON. */
function plainText(value: CwlValue): string | readonly string[] {
  const text = (item: CwlValue) => (typeof item === "string" ? item : JSON.stringify(item));
  return Array.isArray(value) && value.length > 0 && value.every(isPlain) ? value.map(text) : text(value);
}

function isPlain(value: CwlValue): boolean {
  return typeof value !== "object" || value === null;
}
