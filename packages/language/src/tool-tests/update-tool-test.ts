import type { Unmet } from "./tool-test.ts";

/**
 * The text of a test with the actual values instead of the expected ones; the rest stays unchanged, even comments.
 * `left`: unmet expectations that a person has to change.
 */
export function updateToolTest(
  text: string,
  uri: string,
  unmet: readonly Unmet[],
): { readonly text: string; readonly left: readonly Unmet[] } {
  const isReplaceable = ({ at, actual }: Unmet) => actual !== undefined && at.span !== undefined && at.file === uri;
  const left = unmet.filter((one) => !isReplaceable(one));
  const edits = new Map(
    unmet.filter(isReplaceable).map(({ at, actual }) => [at.span?.start ?? 0, { ...at.span, actual }]),
  );
  let updated = text;
  for (const [start, { end = start, actual }] of [...edits].toSorted(([a], [b]) => b - a))
    updated = `${updated.slice(0, start)}${written(actual)}${updated.slice(end)}`;
  return { text: updated, left };
}

/** A string without quotation marks if that is safe, otherwise with them. */
function written(value: unknown): string {
  return typeof value === "string" && /^sha1\$[0-9a-f]+$/.test(value) ? value : JSON.stringify(value);
}
