interface TextRun {
  readonly text: string;
  /** Names of colors and weights: `red`, `bold`; empty for plain text. */
  readonly styles: readonly string[];
}

const COLORS = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"] as const;

// Escape sequences: CSI (kept when it ends in m), OSC and other strings up to BEL or ST, and two-character ones.
// eslint-disable-next-line no-control-regex
const ESCAPE = /\x1b(?:\[([0-9;:?]*)[ -/]*([@-~])|[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)?|[@-Z\\-_=>])/g;

// Control characters except the tab: they move cursors and ring bells.
// eslint-disable-next-line no-control-regex
const CONTROLS = /[\x00-\x08\x0a-\x1f\x7f-\x9f]/g;

// Characters that change the text direction, with which a line can appear as something else.
const DIRECTIONS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Removes control characters and spells out those that change the text direction. */
function harmless(text: string): string {
  return text
    .replaceAll(CONTROLS, "")
    .replaceAll(DIRECTIONS, (letter) => `[U+${letter.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}]`);
}

/** A line of terminal output without colors, for searching. */
export function plainLine(line: string): string {
  return harmless(lastOverwrite(line).replaceAll(ESCAPE, ""));
}

/** Splits a line of terminal output into runs of equal style. Colors are kept, all other escape sequences dropped. */
export function parseAnsi(line: string): readonly TextRun[] {
  const shown = lastOverwrite(line);
  const runs: TextRun[] = [];
  let styles: readonly string[] = [];
  let from = 0;
  for (const match of shown.matchAll(ESCAPE)) {
    addRun(runs, shown.slice(from, match.index), styles);
    if (match[2] === "m") styles = applyStyles(styles, match[1] ?? "");
    from = match.index + match[0].length;
  }
  addRun(runs, shown.slice(from), styles);
  return runs;
}

function addRun(runs: TextRun[], text: string, styles: readonly string[]): void {
  const shown = harmless(text);
  if (shown !== "") runs.push({ text: shown, styles });
}

/** A progress bar rewrites its line after a carriage return: keep the last text. */
function lastOverwrite(line: string): string {
  const text = line.endsWith("\r") ? line.slice(0, -1) : line;
  return text.slice(text.lastIndexOf("\r") + 1);
}

function applyStyles(styles: readonly string[], codes: string): readonly string[] {
  // Skips 256-color and true-color codes, whose parameters are not codes themselves.
  const known = codes.replaceAll(/(?:^|;)[34]8[;:](?:5[;:]\d+|2(?:[;:]\d*){3,4})/g, ";39");
  return known.split(";").reduce<readonly string[]>((now, code) => applyStyle(now, Number(code)), styles);
}

function applyStyle(styles: readonly string[], code: number): readonly string[] {
  if (code === 0) return [];
  if (code === 1) return [...styles.filter((style) => style !== "bold"), "bold"];
  if (code === 22) return styles.filter((style) => style !== "bold");
  const color = COLORS[code >= 90 ? code - 90 : code - 30];
  const weights = styles.filter((style) => style === "bold");
  if ((code >= 30 && code <= 37) || (code >= 90 && code <= 97))
    return color === undefined ? styles : [...weights, color];
  return code === 39 ? weights : styles;
}

interface MarkedRun extends TextRun {
  /** True for a match of the search. */
  readonly isMatch: boolean;
}

/** Splits styled spans at the matches of a text, ignoring case; a match may cross spans. */
export function markMatches(runs: readonly TextRun[], q: string): readonly MarkedRun[] {
  const wanted = q.toLowerCase();
  const line = runs.map(({ text }) => text).join("");
  const plain = line.toLowerCase();
  // Letters whose lower case has a different length would shift the positions.
  if (wanted === "" || plain.length !== line.length) return runs.map((run) => ({ ...run, isMatch: false }));
  const marked: MarkedRun[] = [];
  let match = plain.indexOf(wanted);
  let start = 0;
  for (const { text, styles } of runs) {
    const end = start + text.length;
    for (let at = start; at < end;) {
      while (match >= 0 && match + wanted.length <= at) match = plain.indexOf(wanted, match + wanted.length);
      const isMatch = match >= 0 && match <= at;
      const next = Math.min(end, match < 0 ? end : isMatch ? match + wanted.length : match);
      marked.push({ text: line.slice(at, next), styles, isMatch });
      at = next;
    }
    start = end;
  }
  return marked;
}
