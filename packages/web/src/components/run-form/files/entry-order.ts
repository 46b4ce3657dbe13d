import type { FileEntry } from "@weft/shared/records/process-record.ts";

export const ENTRY_ORDERS = [
  { id: "name", label: "By name" },
  { id: "newest", label: "Newest first" },
  { id: "largest", label: "Largest first" },
] as const;
export type EntryOrder = (typeof ENTRY_ORDERS)[number]["id"];

/** Sorts folders before files, each in the requested order and then by name. */
export function sortEntries(entries: readonly FileEntry[], order: EntryOrder): readonly FileEntry[] {
  const byName = new Intl.Collator(undefined, { numeric: true });
  return entries.toSorted(
    (a, b) =>
      Number(a.kind === "file") - Number(b.kind === "file") ||
      difference(a, b, order) ||
      byName.compare(a.name, b.name),
  );
}

function difference(a: FileEntry, b: FileEntry, order: EntryOrder): number {
  if (order === "newest") return Date.parse(b.modified_at ?? "") - Date.parse(a.modified_at ?? "") || 0;
  return order === "largest" ? (b.size ?? 0) - (a.size ?? 0) : 0;
}

/** Entries whose name contains the text, ignoring case. */
export function filterEntries(entries: readonly FileEntry[], text: string): readonly FileEntry[] {
  const wanted = text.trim().toLowerCase();
  return wanted === "" ? entries : entries.filter(({ name }) => name.toLowerCase().includes(wanted));
}

/** File extensions of EDAM formats. */
const ENDINGS: ReadonlyMap<string, readonly string[]> = new Map([
  ["format_3549", [".nii", ".nii.gz"]],
  ["format_4001", [".nii", ".nii.gz"]],
  ["format_3752", [".csv"]],
  ["format_3475", [".tsv"]],
  ["format_3464", [".json"]],
  ["format_3603", [".png"]],
  ["format_3579", [".jpg", ".jpeg"]],
  ["format_3591", [".tif", ".tiff"]],
  ["format_3604", [".svg"]],
  ["format_3508", [".pdf"]],
  ["format_2331", [".html", ".htm"]],
  ["format_2572", [".bam"]],
  ["format_3016", [".vcf", ".vcf.gz"]],
]);

export interface WantedEntry {
  readonly kind: "File" | "Directory";
  /** Format IRIs; empty: any. */
  readonly formats: readonly string[];
}

/** Why an entry cannot be selected; "" if it can. A format without known extensions accepts every file. */
export function mismatch({ kind, name }: FileEntry, wanted: WantedEntry): string {
  if (kind === "folder") return "";
  if (wanted.kind === "Directory") return "Not a folder";
  const endings = wanted.formats.map((format) => ENDINGS.get(/format_\d+$/.exec(format)?.[0] ?? ""));
  if (endings.length === 0 || endings.includes(undefined)) return "";
  const known = [...new Set(endings.flatMap((own) => own ?? []))];
  return known.some((ending) => name.toLowerCase().endsWith(ending)) ? "" : `Not a ${known.join(" or ")} file`;
}
