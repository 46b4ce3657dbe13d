import { readTable } from "@weft/shared/dataset/read-table.ts";

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
