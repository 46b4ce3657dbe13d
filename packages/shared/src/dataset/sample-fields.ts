import { commonFields } from "./bids-source.ts";
import { filesOfValue, type SelectedValue } from "./fill-columns.ts";
import type { DatasetIndex } from "./index-dataset.ts";

export type SampleFields = Readonly<Record<string, string | number>>;

const MAX_FIELDS = 50;
const MAX_TEXT = 200;
const MAX_NAME = 100;
/** Maximum number of fields of all samples of a result together. */
const MAX_VALUES = 400_000;
const IDS = new Set(["participant_id", "session_id"]);
/** These fields describe single files, not samples. */
const OF_FILES = new Set(["extension", "datatype"]);
/** Matches numbers, but not `007`, which is a code. */
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i;
const ABSENT = new Set(["na", "nan", "null", "none"]);

/** The maximum number of fields of a sample. */
export function fieldsPerSample(samples: number): number {
  return Math.min(MAX_FIELDS, Math.floor(MAX_VALUES / Math.max(1, samples)));
}

/**
 * The dataset's facts about a sample: the entities that its files have in common, then the columns of
 * `participants.tsv` and `sessions.tsv`. Entities are texts, because `01` is a label.
 */
export function sampleFields(
  columns: Readonly<Record<string, SelectedValue>>,
  { participants, sessions }: Pick<DatasetIndex, "participants" | "sessions">,
  most: number,
): SampleFields {
  const entities = sharedEntities(columns);
  const subject = entities.get("sub") ?? "";
  const rows = [participants.get(subject), sessions.get(`${subject}/${entities.get("ses")}`)];
  const fields = new Map<string, string | number>(entities);
  for (const [name, text] of rows.flatMap((row) => Object.entries(row ?? {}))) {
    if (IDS.has(name) || name.length > MAX_NAME || fields.has(name)) continue;
    const value = readValue(text);
    if (value !== undefined) fields.set(name, value);
  }
  return Object.fromEntries([...fields].slice(0, most));
}

function sharedEntities(columns: Readonly<Record<string, SelectedValue>>): ReadonlyMap<string, string> {
  const files = Object.values(columns).flatMap(filesOfValue);
  const entries = Object.entries(commonFields(files.map(({ file }) => file)));
  const isShown = (name: string, value: string) =>
    value.length <= MAX_TEXT && name.length <= MAX_NAME && !OF_FILES.has(name);
  return new Map(entries.filter(([name, value]) => isShown(name, value)));
}

function readValue(text: string): string | number | undefined {
  if (text.length > MAX_TEXT || ABSENT.has(text.toLowerCase())) return undefined;
  return NUMBER.test(text) && Number.isFinite(Number(text)) ? Number(text) : text;
}
