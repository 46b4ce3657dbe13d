import { countText } from "../../format/count-text.ts";
import { placeOfOutput, type ComparedThing } from "./compare-runs.ts";

/** Values of one result beyond this number are only counted. */
const MAX_VALUES = 3;

/**
 * Results that differ, in sample order; those of the run as a whole first. Several values of one result share a row.
 */
export function groupResults(things: readonly ComparedThing[]): readonly ComparedThing[] {
  const groups = Map.groupBy(things, resultName);
  const rows = [...groups].flatMap(([name, own]) =>
    own.length <= MAX_VALUES || own.some(({ files }) => files.some((file) => file !== undefined))
      ? own
      : [folded(name, own)],
  );
  const place = ({ name }: ComparedThing): number => placeOfOutput(name).index ?? -1;
  return rows.toSorted((a, b) => place(a) - place(b));
}

/** `series[2]` of `series[2][7]`, `stats` of `stats.mean`. */
function resultName({ name }: ComparedThing): string {
  const { output, index } = placeOfOutput(name);
  return index === undefined ? output : `${output}[${index}]`;
}

function folded(name: string, things: readonly ComparedThing[]): ComparedThing {
  const places = things[0]?.sides.map((_, place) => place) ?? [];
  const differing = (place: number): number => things.filter(({ differs }) => differs[place] === true).length;
  return {
    section: "Outputs",
    name,
    sides: places.map((place) =>
      place === 0 ? countText(things.length, "value") : `${differing(place)} of them differ`,
    ),
    differs: places.map((place) => differing(place) > 0),
    changes: [],
    files: [],
    isSame: false,
  };
}
