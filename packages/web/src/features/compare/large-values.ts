import type { RunComparison } from "@weft/shared/records/comparison-record.ts";
import type { Run } from "@weft/shared/records/run-record.ts";
import type { ComparedThing, LargeSection } from "./compare-runs.ts";

/** The differences from the first run that the server found; `comparisons` by run, undefined while they are read. */
export function namedByServer(
  section: LargeSection,
  runs: readonly Run[],
  comparisons: readonly (RunComparison | undefined)[],
): readonly ComparedThing[] {
  const part = section === "Inputs" ? "inputs" : "outputs";
  const found = comparisons.map((comparison) => new Set(comparison?.[part].map(({ name }) => name)));
  const names = new Set(found.flatMap((own) => [...own]));
  return [...names].map((name) => {
    const differs = runs.map((_, place) => found[place]?.has(name) === true);
    const sides = differs.map((isOther, place) => (place === 0 ? "baseline" : isOther ? "different" : "identical"));
    return { section, name, sides, differs, changes: [], files: [], isSame: false };
  });
}
