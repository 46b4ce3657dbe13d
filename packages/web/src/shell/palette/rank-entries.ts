/** An entry of the palette. */
export interface PaletteEntry {
  readonly group: "On this page" | "Pages" | "Networks" | "Tools" | "Runs";
  readonly label: string;
  /** Shown next to the label: an id, a state. */
  readonly detail?: string | undefined;
  /** Synonyms for the search. */
  readonly words?: readonly string[] | undefined;
  /** The equivalent shortcut. */
  readonly keys?: readonly string[] | undefined;
  readonly act: () => void;
}

/** The entries that contain every word of `q`, those at the beginning of a word first; sorted within each group. */
export function rankEntries(entries: readonly PaletteEntry[], q: string): readonly PaletteEntry[] {
  const asked = wordsOf(q);
  const scored = entries.map((entry) => ({ entry, score: scoreOf(entry, asked) })).filter(({ score }) => score > 0);
  const groups = Map.groupBy(scored, ({ entry }) => entry.group);
  return [...groups.values()].flatMap((group) => group.toSorted((a, b) => b.score - a.score).map(({ entry }) => entry));
}

function scoreOf(entry: PaletteEntry, asked: readonly string[]): number {
  const own = [entry.label, entry.detail ?? "", ...(entry.words ?? [])].flatMap(wordsOf);
  const parts = asked.map((word) =>
    own.some((other) => other.startsWith(word)) ? 2 : own.some((other) => other.includes(word)) ? 1 : 0,
  );
  return parts.includes(0) ? 0 : 1 + parts.reduce<number>((sum, part) => sum + part, 0);
}

function wordsOf(text: string): readonly string[] {
  return text
    .toLowerCase()
    .split(/[\s:,()]+/)
    .filter((word) => word !== "");
}
