const DURATIONS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  min: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};
const SIZES: Readonly<Record<string, number>> = { b: 1, k: 1024, m: 1024 ** 2, g: 1024 ** 3, t: 1024 ** 4 };

/** Parses a duration to milliseconds: `90` (seconds), `250ms`, `1.5 h`, `2m 30s`; undefined for anything else. */
export function parseDuration(text: string): number | undefined {
  return sumOf(text, (unit) => DURATIONS[unit === "" ? "s" : unit]);
}

/** Parses a size to bytes: `500` (MiB), `2G`, `1.5 GiB`, `300 MB`; undefined for anything else. */
export function parseBytes(text: string): number | undefined {
  return sumOf(text, (unit) => SIZES[unit === "" ? "m" : unit.replace(/(?<=.)i?b$/, "")]);
}

function sumOf(text: string, factorOf: (unit: string) => number | undefined): number | undefined {
  const wanted = text.trim().toLowerCase();
  if (!/^(?:\d+(?:\.\d+)?\s*[a-z]*\s*)+$/.test(wanted)) return undefined;
  let sum = 0;
  for (const [, digits, unit = ""] of wanted.matchAll(/(\d+(?:\.\d+)?)\s*([a-z]*)/g)) {
    const factor = factorOf(unit);
    if (factor === undefined) return undefined;
    sum += Number(digits) * factor;
  }
  const amount = Math.round(sum);
  return Number.isSafeInteger(amount) ? amount : undefined;
}
