import type { CwlValue } from "@weft/cwl/model/cwl-value.ts";

const KEYS = ["b", "a", "aa", "A", "10", "9", "é", "\u{1f600}", "\uffff", "", "class", "constructor", "__proto__"];
const SCALARS: readonly CwlValue[] = [null, true, false, 0, -1.5, 1e21, "", "x", 'é\n"\\', "\u{1f600}"];

/** Nested lists, records and Files with keys that are hard to sort; every call returns the same values. */
export function* randomValues(count: number): Generator<CwlValue> {
  let seed = 1;
  const next = (below: number): number => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % below;
  };
  const make = (depth: number): CwlValue => {
    const kind = depth === 0 ? 0 : next(5);
    const members = () => Array.from({ length: next(5) }, () => make(depth - 1));
    if (kind < 2) return SCALARS[next(SCALARS.length)] ?? null;
    if (kind === 2) return members();
    if (kind === 3) return Object.fromEntries(members().map((value) => [KEYS[next(KEYS.length)] ?? "", value]));
    const files = members().filter((value) => typeof value === "object" && value !== null && "location" in value);
    return {
      size: next(100),
      class: "File",
      ...(next(2) === 0 ? {} : { basename: `name-${next(9)}`, format: "http://example.org/x" }),
      location: `file:///data/${next(1000)}%20a`,
      // only Files have a location here
      ...(files.length === 0 ? {} : { secondaryFiles: files as never[] }),
    };
  };
  for (let made = 0; made < count; made++) yield make(4);
}
