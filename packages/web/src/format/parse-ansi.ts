export interface TextRun {
  readonly text: string;
  /** Names of colours and weights: `red`, `bold`; empty for plain text. */
  readonly styles: readonly string[];
}

const COLOURS = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"] as const;

// Escape sequences: CSI (kept when it ends in m), OSC up to BEL or ST, and two-character ones.
// eslint-disable-next-line no-control-regex
const ESCAPE = /\x1b(?:\[([0-9;:?]*)[ -/]*([@-~])|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[@-Z\\-_=>])/g;

/** Splits a line of terminal output into runs of equal style. Colours are kept, all other escape sequences dropped. */
export function parseAnsi(line: string): readonly TextRun[] {
  const shown = lastOverwrite(line);
  const runs: TextRun[] = [];
  let styles: readonly string[] = [];
  let from = 0;
  for (const match of shown.matchAll(ESCAPE)) {
    if (match.index > from) runs.push({ text: shown.slice(from, match.index), styles });
    if (match[2] === "m") styles = applyStyles(styles, match[1] ?? "");
    from = match.index + match[0].length;
  }
  if (from < shown.length) runs.push({ text: shown.slice(from), styles });
  return runs;
}

/** A progress bar rewrites its line after a carriage return: the last text stays. */
function lastOverwrite(line: string): string {
  const text = line.endsWith("\r") ? line.slice(0, -1) : line;
  return text.slice(text.lastIndexOf("\r") + 1);
}

function applyStyles(styles: readonly string[], codes: string): readonly string[] {
  return codes.split(";").reduce<readonly string[]>((now, code) => applyStyle(now, Number(code)), styles);
}

function applyStyle(styles: readonly string[], code: number): readonly string[] {
  if (code === 0) return [];
  if (code === 1) return [...styles.filter((style) => style !== "bold"), "bold"];
  if (code === 22) return styles.filter((style) => style !== "bold");
  const colour = COLOURS[code >= 90 ? code - 90 : code - 30];
  const weights = styles.filter((style) => style === "bold");
  if ((code >= 30 && code <= 37) || (code >= 90 && code <= 97))
    return colour === undefined ? styles : [...weights, colour];
  return code === 39 ? weights : styles;
}
