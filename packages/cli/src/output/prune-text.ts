import type { PruneEntry, PruneReport } from "@weft/shared/records/storage-record.ts";

const HEAD = ["WHAT", "ID", "NAME", "TIME (UTC)", "FREED"] as const;
const WIDEST_NAME = 40;

/** A report for people: a line for each entry, aligned, then the sum. */
export function pruneText(report: PruneReport): string {
  const rows = report.entries.map(rowOf);
  const widths = HEAD.map((head, column) => Math.max(head.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.length === 0 ? [] : [HEAD, ...rows].map((row) => lineOf(row, widths));
  return [...lines, ...notesOf(report)].map((line) => `${line}\n`).join("");
}

function rowOf({ kind, id, name, time, part, bytes, outcome, reason }: PruneEntry): readonly string[] {
  const what = kind === "run" ? `${part ?? ""} of a run` : kind;
  const state = outcome === "kept" ? "kept" : bytesText(bytes);
  const why = reason === null ? state : `${state}: ${reason}`;
  const shown = name.length > WIDEST_NAME ? `${name.slice(0, WIDEST_NAME - 1)}…` : name;
  return [what, id, plain(shown), time === null ? "" : time.slice(0, 16).replace("T", " "), why];
}

/** The last column is not padded. */
function lineOf(row: readonly string[], widths: readonly number[]): string {
  return row.map((text, column) => (column === row.length - 1 ? text : text.padEnd(widths[column] ?? 0))).join("  ");
}

function notesOf(report: PruneReport): readonly string[] {
  const { entries, entries_total: total, kept_total: kept, failed_total: failed } = report;
  const more = total - entries.length;
  const sum = `${report.dry_run ? "would free" : "freed"} ${bytesText(report.bytes_total)}`;
  return [
    ...(more > 0 ? [`… and ${more} more`] : []),
    total === kept ? "nothing to remove" : sum,
    ...(kept > 0 ? [`${kept} kept, because a run that has not ended needs them`] : []),
    ...(failed > 0
      ? [`${failed} could not be removed wholly; their lines say why. Remove the cause and prune again.`]
      : []),
    ...(report.dry_run && total > kept ? ["Nothing was removed. Add --yes to remove it."] : []),
  ];
}

/** Replaces control characters, because users choose the names and a terminal would interpret them. */
function plain(text: string): string {
  return text.replace(/\p{C}/gu, "?");
}

function bytesText(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`;
  const units = ["KiB", "MiB", "GiB", "TiB", "PiB"];
  const power = Math.min(units.length, Math.floor(Math.log2(bytes) / 10));
  return `${(bytes / 1024 ** power).toFixed(1)} ${units[power - 1]}`;
}
