import {
  MAX_TABLE_FIELDS,
  type FieldType,
  type TableColumn,
  type TableField,
  type TableFields,
  type TablePage,
  type TableRow,
  type TableValue,
} from "@weft/shared/records/table-record.ts";
import { fieldId, labelFields, type FieldPlace } from "./field-id.ts";
import type { FieldValues, Port } from "./field-values.ts";
import { parsePathKey, pathKey, type FlatValues } from "./flatten-value.ts";
import type { RunRows, SampleOfRun } from "./run-rows.ts";

/** Samples of each run whose files are searched for fields, spread over all of them. */
const EXAMINED = 40;
const MAX_FIELDS = 1_000;
/** The number of samples that are read concurrently. */
const WIDTH = 16;

/** The fields of the samples of some runs. */
export async function discoverFields(runs: readonly RunRows[], values: FieldValues): Promise<TableFields> {
  const found = new Map<string, Seen>();
  let examined = 0;
  for (const run of runs) {
    const samples = spread(run.rows, EXAMINED);
    examined += samples.length;
    // One run after the other bounds the number of open files. eslint-disable-next-line no-await-in-loop
    await eachOf(samples, async (sample) => {
      for (const port of run.ports) note(found, port, await values.of(run, sample, port));
    });
  }
  const seen = inOrder([...found.values()], runs).slice(0, MAX_FIELDS);
  const labels = labelFields(seen.map(({ place }) => place));
  return {
    runs: runs.map(({ runId, name }) => ({ run_id: runId, name })),
    samples: runs.reduce((sum, { rows }) => sum + rows.length, 0),
    examined,
    fields: seen.map((one, at) => presentField(one, labels[at] ?? "")),
    truncated: found.size > seen.length,
    unread: values.unread,
    unread_total: values.unreadTotal,
  };
}

interface Seen {
  readonly place: FieldPlace;
  readonly values: Set<TableValue>;
  filled: number;
}

function note(found: Map<string, Seen>, { source, port }: Port, values: FlatValues): void {
  for (const [key, value] of values) {
    const place = { source, port, path: parsePathKey(key) };
    const id = fieldId(place);
    const seen = found.get(id) ?? { place, values: new Set(), filled: 0 };
    found.set(id, seen);
    if (value === null) continue;
    seen.filled += 1;
    seen.values.add(value);
  }
}

/** Sorts fields in the order of inputs and outputs, because samples are read in any order. */
function inOrder(seen: readonly Seen[], runs: readonly RunRows[]): readonly Seen[] {
  const ports = new Map<string, number>();
  for (const { source, port } of runs.flatMap((run) => run.ports))
    if (!ports.has(`${source} ${port}`)) ports.set(`${source} ${port}`, ports.size);
  const rank = ({ place: { source, port } }: Seen) => ports.get(`${source} ${port}`) ?? 0;
  return seen.toSorted((a, b) => rank(a) - rank(b));
}

function presentField({ place, values, filled }: Seen, label: string): TableField {
  return {
    id: fieldId(place),
    source: place.source,
    label,
    type: typeOf(values),
    port: place.port,
    filled,
    distinct: values.size,
    example: values.values().next().value ?? null,
  };
}

/** All rows of a table. The values of each row are in the order of `columns`. */
export type BuiltTable = Omit<TablePage, "from" | "total">;

export async function buildTable(
  runs: readonly RunRows[],
  places: readonly FieldPlace[],
  values: FieldValues,
): Promise<BuiltTable> {
  const rows: TableRow[] = [];
  const ports = portsOf(places);
  for (const run of runs) {
    const read = new Map<SampleOfRun, TableValue[]>();
    // eslint-disable-next-line no-await-in-loop -- as above
    await eachOf(run.rows, async (sample) => {
      const own = Array<TableValue>(places.length).fill(null);
      for (const { port, fields } of ports) {
        const flat = await values.of(run, sample, port);
        for (const { at, key } of fields) own[at] = flat.get(key) ?? null;
      }
      read.set(sample, own);
    });
    for (const sample of run.rows)
      rows.push({
        run_id: run.runId,
        sample_id: sample.sampleId,
        index: sample.index,
        values: read.get(sample) ?? [],
      });
  }
  return {
    runs: runs.map(({ runId, name }) => ({ run_id: runId, name })),
    columns: columnsOf(places, rows),
    rows,
    unread: values.unread,
    unread_total: values.unreadTotal,
  };
}

/** Fields by their port, so that each file is read once. */
function portsOf(places: readonly FieldPlace[]) {
  const grouped = Map.groupBy(
    places.map((place, at) => ({ place, at })),
    ({ place: { source, port } }) => `${source} ${port}`,
  );
  return [...grouped.values()].flatMap((entries) => {
    const [first] = entries;
    if (first === undefined) return [];
    const { source, port } = first.place;
    return [{ port: { source, port }, fields: entries.map(({ place, at }) => ({ at, key: pathKey(place.path) })) }];
  });
}

function columnsOf(places: readonly FieldPlace[], rows: readonly TableRow[]): TableColumn[] {
  const labels = labelFields(places);
  return places.slice(0, MAX_TABLE_FIELDS).map((place, at) => ({
    id: fieldId(place),
    source: place.source,
    label: labels[at] ?? "",
    type: typeOf(rows.map(({ values }) => values[at] ?? null)),
  }));
}

function typeOf(values: Iterable<TableValue>): FieldType {
  const types = new Set<string>();
  for (const value of values) if (value !== null) types.add(typeof value);
  const [only, another] = types;
  return another === undefined && (only === "number" || only === "boolean") ? only : "text";
}

function spread<Item>(items: readonly Item[], most: number): readonly Item[] {
  if (items.length <= most) return items;
  return Array.from({ length: most }, (_, at) => items[Math.floor((at * items.length) / most)]).filter(
    (item) => item !== undefined,
  );
}

async function eachOf<Item>(items: readonly Item[], act: (item: Item) => Promise<void>): Promise<void> {
  let next = 0;
  const work = async (): Promise<void> => {
    for (let item = items[next++]; item !== undefined; item = items[next++]) await act(item);
  };
  await Promise.all(Array.from({ length: WIDTH }, work));
}
