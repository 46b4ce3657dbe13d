import { MAX_LISTED_FILES, type DatasetDetail, type DatasetField } from "../records/dataset-record.ts";
import { fieldLabel } from "./dataset-terms.ts";
import type { DatasetIndex } from "./index-dataset.ts";
import { isNumber } from "./match-condition.ts";
import { fieldNames } from "./query-plan.ts";

const MAX_VALUES = 100;
const MAX_FIELDS = 200;
const MAX_TEXT = 300;

/** The description of a dataset: its fields with their values, and the files that are not part of it. */
export function describeDataset(
  index: DatasetIndex,
  { location, name }: Pick<DatasetDetail, "location" | "name">,
): DatasetDetail {
  const { kind, files, participants, sessions, description } = index;
  const names = files.map((file) => file.fields);
  const fields = [
    ...fieldNames(index).map((field) => toField(field, "name", names)),
    ...index.participantColumns.map((field) => toField(field, "participants", [...participants.values()])),
    ...index.sessionColumns.map((field) => toField(field, "sessions", [...sessions.values()])),
  ];
  return {
    ...{ location, name, kind },
    title: textOf(description["Name"]),
    bids_version: textOf(description["BIDSVersion"]),
    dataset_type: textOf(description["DatasetType"]),
    fields: fields.slice(0, MAX_FIELDS),
    subjects: new Set(files.map((file) => file.fields["sub"]).filter((label) => label !== undefined)).size,
    sessions: new Set(files.flatMap(({ fields: { sub, ses } }) => (ses === undefined ? [] : [`${sub} ${ses}`]))).size,
    files: files.length,
    problems: index.problems.slice(0, MAX_LISTED_FILES),
    problems_total: index.problems.length,
  };
}

function textOf(value: unknown): string | null {
  return typeof value === "string" ? value.slice(0, MAX_TEXT) : null;
}

function toField(
  name: string,
  source: DatasetField["source"],
  rows: readonly Readonly<Record<string, string>>[],
): DatasetField {
  const counts = new Map<string, number>();
  for (const row of rows) {
    const value = Object.hasOwn(row, name) ? row[name] : undefined;
    if (value !== undefined) counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  const values = [...counts].map(([value, count]) => ({ value, count }));
  const numbers = values.every(({ value }) => isNumber(value)) ? values.map(({ value }) => Number(value)) : [];
  const bound = (pick: (a: number, b: number) => number) =>
    numbers.length === 0 ? null : numbers.reduce((a, b) => pick(a, b));
  return {
    ...{ name, source, label: fieldLabel(name) },
    values: values.toSorted((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1)).slice(0, MAX_VALUES),
    distinct: counts.size,
    min: bound(Math.min),
    max: bound(Math.max),
  };
}
