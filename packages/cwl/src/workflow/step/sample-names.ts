import type { GiveWay } from "../../give-way.ts";
import { fieldOf, isFileOrDirectory, isRecord } from "../../values/value-kind.ts";
import { nameOf } from "../../files/staging/place-files.ts";
import type { CwlValue } from "../../model/cwl-value.ts";
import type { ScatterJob } from "./scatter-jobs.ts";

/** An axis of a scatter: the step input, and the names of its elements if the user named them. */
export interface ScatterAxis {
  readonly input: string;
  readonly names: readonly string[] | undefined;
}

/** The values that name the jobs of a scatter. */
export interface NamedScatter {
  readonly axes: readonly ScatterAxis[];
  readonly isCrossed: boolean;
  readonly giveWay: GiveWay;
}

const NAMING_INPUT = /^(?:sample|subject)|^(?:id|name)$/i;
const NAMING_FIELDS = ["id", "name", "sample_id"];

/**
 * The name of the sample that each job of a scatter works on. Aligned lists (dotproduct) share one name: the name that an
 * element already has, otherwise the string of an input named after samples, otherwise the first value with a name. Names
 * of crossed lists are joined. Equal names get the job's index, so that names are unique within the scatter.
 */
export async function sampleNames(
  jobs: () => Iterable<ScatterJob>,
  { axes, isCrossed, giveWay }: NamedScatter,
): Promise<readonly (string | undefined)[]> {
  // The job gets the innermost element of an input that is scattered twice.
  const places = axes.map(({ input }) => axes.findLastIndex((other) => other.input === input));
  const names: (string | undefined)[] = [];
  const counts = new Map<string, number>();
  for (const { elements, index } of jobs()) {
    const candidates = axes.map((axis, number) => {
      const at = index[isCrossed ? number : 0] ?? 0;
      return { axis, value: elements[places[number] ?? number] ?? null, elementName: axis.names?.[at] };
    });
    const name = isCrossed ? joinedName(candidates) : alignedName(candidates);
    if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1);
    names.push(name);
    const due = giveWay();
    if (due !== undefined) await due;
  }
  return counts.size === names.length ? names : uniqueNames(names, counts, jobs());
}

interface Candidate {
  readonly axis: ScatterAxis;
  readonly value: CwlValue;
  readonly elementName: string | undefined;
}

function alignedName(candidates: readonly Candidate[]): string | undefined {
  const elementName = candidates.find((candidate) => candidate.elementName !== undefined)?.elementName;
  const named = candidates.find(({ axis, value }) => typeof value === "string" && NAMING_INPUT.test(axis.input));
  const first = candidates.map(({ value }) => valueName(value)).find((name) => name !== undefined);
  return elementName ?? (named === undefined ? first : valueName(named.value));
}

function joinedName(candidates: readonly Candidate[]): string | undefined {
  const names = candidates
    .map(({ elementName, value }) => elementName ?? valueName(value))
    .filter((name) => name !== undefined);
  return names.length === 0 ? undefined : names.join("-");
}

/** A name for a value: `sub-01` for the File `sub-01.nii.gz`, a string itself, the identifying field of a record. */
export function valueName(value: CwlValue): string | undefined {
  if (typeof value === "string") return value === "" ? undefined : value;
  if (isFileOrDirectory(value)) return /^\.*[^.]+/.exec(nameOf(value))?.[0];
  if (!isRecord(value)) return undefined;
  const named = NAMING_FIELDS.map((field) => fieldOf(value, field)).find(
    (field) => typeof field === "string" && field !== "",
  );
  return typeof named === "string" ? named : undefined;
}

function uniqueNames(
  names: readonly (string | undefined)[],
  counts: ReadonlyMap<string, number>,
  jobs: Iterable<ScatterJob>,
): readonly (string | undefined)[] {
  return Array.from(jobs, ({ index }, job) => {
    const name = names[job];
    return name === undefined || counts.get(name) === 1 ? name : `${name}-${index.join("-")}`;
  });
}
