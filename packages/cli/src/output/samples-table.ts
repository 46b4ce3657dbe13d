import type { QueryResult } from "@weft/shared/records/dataset-record.ts";

/** A sample sheet as TSV: the name and the columns of each sample, files by their locations. */
export function samplesTable({ samples }: Pick<QueryResult, "samples">): string {
  const columns = Object.keys(samples[0]?.columns ?? {});
  const lines = samples.map(({ name, columns: values }) => [
    name,
    ...columns.map((column) => cellText(values[column])),
  ]);
  return [["sample", ...columns], ...lines].map((cells) => `${cells.map(plain).join("\t")}\n`).join("");
}

function cellText(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (Array.isArray(value)) return value.map(cellText).join(";");
  if (typeof value === "object" && "location" in value) return String(value.location);
  return String(value);
}

/** Replaces tabs and line breaks, which a file name may contain. */
function plain(text: string): string {
  return text.replaceAll(/[\t\r\n]/g, " ");
}
