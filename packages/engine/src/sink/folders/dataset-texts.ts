import { parseJson } from "@weft/shared/json/exact-json.ts";
import { linkName, type BidsSource } from "@weft/shared/dataset/bids-source.ts";
import { readTable } from "@weft/shared/dataset/read-table.ts";

/** An entry of `GeneratedBy`: software that wrote a dataset. */
export interface Generator {
  readonly Name: string;
  readonly Version?: string;
  readonly Description?: string;
  readonly CodeURL?: string;
  readonly Container?: { readonly Type: string; readonly Tag: string; readonly URI?: string };
}

/** A dataset that derivatives were made from. */
export interface SourceDataset {
  readonly address: BidsSource["dataset"];
  /** The dataset's `dataset_description.json`; empty if it cannot be read. */
  readonly description: Readonly<Record<string, unknown>>;
}

export interface DerivativeFacts {
  readonly label: string;
  readonly generators: readonly Generator[];
  readonly sources: readonly SourceDataset[];
}

type Description = Readonly<Record<string, unknown>>;

const BIDS_VERSION = "1.10.0";

/**
 * Parses a description from disk; if Weft must not write into the dataset, returns the reason as the end of a sentence.
 */
export function readDerivativeDescription(text: string): Description | string {
  const value = parseJson(text);
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return "has a dataset_description.json that is not a JSON object";
  const description = value as Description; // an object of JSON
  const type = description["DatasetType"];
  return type === "derivative" ? description : `is a BIDS dataset of the type ${String(type ?? "raw")}, not derivative`;
}

/** The description with the additions of this run. Keeps all existing content. */
export function extendDescription(known: Description | undefined, facts: DerivativeFacts): Description {
  const { label, generators, sources } = facts;
  const name = sources[0]?.description["Name"];
  const of = typeof name === "string" ? `: derivatives of ${name}` : "";
  const links = Object.fromEntries(sources.map(({ address }) => [linkName(address), address]));
  return {
    Name: `${label}${of}`,
    BIDSVersion: BIDS_VERSION,
    DatasetType: "derivative",
    ...known,
    GeneratedBy: added(known?.["GeneratedBy"], generators),
    SourceDatasets: added(known?.["SourceDatasets"], sources.map(toSource)),
    DatasetLinks: { ...links, ...objectOf(known?.["DatasetLinks"]) },
  };
}

function toSource({ address, description }: SourceDataset) {
  const doi = description["DatasetDOI"];
  return { URL: address, ...(typeof doi === "string" ? { DOI: doi } : {}) };
}

/** The entries that a JSON list does not have yet. */
function added(known: unknown, entries: readonly object[]): readonly unknown[] {
  const list: readonly unknown[] = Array.isArray(known) ? known : [];
  const texts = new Set(list.map((entry) => JSON.stringify(entry)));
  return [...list, ...entries.filter((entry) => !texts.has(JSON.stringify(entry)))];
}

function objectOf(value: unknown): object {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
}

/**
 * `participants.tsv` with a row for each of the subjects (`sub-01`) that it lacks, with values of the table of the
 * source. Undefined: nothing to add. Rows and columns that exist stay as they are.
 */
export function extendParticipants(
  known: string | undefined,
  source: string,
  subjects: ReadonlySet<string>,
): string | undefined {
  const from = readTable(source);
  const before = known === undefined ? undefined : readTable(known);
  const columns = before?.columns ?? from.columns;
  if (columns[0] !== "participant_id") return undefined;
  const listed = new Set(before?.rows.map((row) => row["participant_id"]));
  const rows = from.rows.filter(({ participant_id: id = "" }) => subjects.has(id) && !listed.has(id));
  if (rows.length === 0) return undefined;
  const lines = rows.map((row) => columns.map((name) => row[name] ?? "n/a").join("\t"));
  const start = known === undefined ? columns.join("\t") : known.replace(/\r?\n$/, "");
  return `${[start, ...lines].join("\n")}\n`;
}
