import type { CwlObject, CwlValue } from "@weft/cwl/model/cwl-value.ts";
import type { Process } from "@weft/cwl/model/process.ts";
import { isFileOrDirectory } from "../../values/map-files.ts";
import type { FileRow } from "../../journal/rows.ts";
import { idPart, ref, refs } from "./crate-graph.ts";
import type { CrateGraph } from "./crate-graph.ts";
import type { CrateFiles } from "./crate-files.ts";
import type { ProcessIds } from "./process-ids.ts";

export interface ValuesToDescribe {
  /** `run` or the id of a job. */
  readonly owner: string;
  readonly direction: "in" | "out";
  readonly process: Process;
  readonly values: CwlObject;
  /** Files of these values, in order. */
  readonly rows: readonly FileRow[];
}

export interface ValueSurroundings {
  readonly graph: CrateGraph;
  readonly ids: ProcessIds;
  readonly files: CrateFiles;
  /** Networks have formal parameters of which values are examples. */
  readonly hasParameters: boolean;
}

/**
 * What an action has read or written: files, folders, files with secondary files, and plain values. Returns the ids.
 */
export async function describeValues(
  described: ValuesToDescribe,
  surroundings: ValueSurroundings,
): Promise<readonly string[]> {
  const { values, rows } = described;
  const found: string[] = [];
  const besideOf = Map.groupBy(rows, primaryOf);
  for (const row of rows) {
    const parameter = isWithin(row) ? undefined : parameterOf(row.port, described, surroundings);
    const beside = besideOf.get(placeOf(row.port, row.place)) ?? [];
    const id = await surroundings.files.add(row, beside.length === 0 ? parameter : undefined);
    if (isWithin(row)) continue;
    found.push(beside.length === 0 ? id : await collect({ row, beside, id, parameter }, described, surroundings));
  }
  for (const [port, value] of Object.entries(values))
    if (value !== null && !isOfFiles(value)) found.push(describeValue(port, value, described, surroundings));
  return found;
}

/** Secondary files and folder members belong to what contains them. */
function isWithin({ place }: FileRow): boolean {
  return /\.(secondaryFiles|listing)\[/.test(place);
}

/** The place of the primary File; undefined for a file that is not a secondary file. */
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
  { ids, hasParameters }: ValueSurroundings,
): string | undefined {
  const declared = direction === "in" ? process.inputs : process.outputs;
  const isKnown = declared.some(({ id }) => id === port);
  return hasParameters && isKnown ? ids.parameter(process, direction, port) : undefined;
}

interface Collected {
  readonly row: FileRow;
  readonly beside: readonly FileRow[];
  readonly id: string;
  readonly parameter: string | undefined;
}

async function collect(
  { row, beside, id, parameter }: Collected,
  { owner, direction }: ValuesToDescribe,
  { graph, files }: ValueSurroundings,
): Promise<string> {
  const members = [id];
  for (const other of beside) members.push(await files.add(other, undefined));
  return graph.add({
    "@id": `#collection/${idPart(owner)}/${direction}/${idPart(row.port + row.place)}`,
    "@type": "Collection",
    name: row.name,
    mainEntity: ref(id),
    hasPart: refs(members),
    exampleOfWork: refs(parameter === undefined ? [] : [parameter]),
  });
}

function describeValue(
  port: string,
  value: CwlValue,
  described: ValuesToDescribe,
  surroundings: ValueSurroundings,
): string {
  const parameter = parameterOf(port, described, surroundings);
  return surroundings.graph.add({
    "@id": `#value/${idPart(described.owner)}/${described.direction}/${idPart(port)}`,
    "@type": "PropertyValue",
    name: port,
    value: plainText(value),
    exampleOfWork: refs(parameter === undefined ? [] : [parameter]),
  });
}

/** Lists of plain values stay lists; structured values become JSON. */
function plainText(value: CwlValue): string | readonly string[] {
  const isPlain = (item: CwlValue) => typeof item !== "object" || item === null;
  const text = (item: CwlValue) => (typeof item === "string" ? item : JSON.stringify(item));
  return Array.isArray(value) && value.length > 0 && value.every(isPlain) ? value.map(text) : text(value);
}
