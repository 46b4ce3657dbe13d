import type { CwlTypeRecord } from "@weft/shared/records/cwl-type.ts";
import type { InputRecord, StepRecord } from "@weft/shared/records/process-record.ts";
import { choicesOf } from "../model/cwl-type-facts.ts";
import type { InputValues } from "../model/form-store.ts";

type ScatterStep = Pick<StepRecord, "id" | "scatter" | "scatter_method" | "in">;

/** Kinds of values that do not fit into one cell. */
const COMPOUND: ReadonlySet<string> = new Set(["array", "record", "Any"]);

/**
 * The inputs that become columns of the sample grid, in document order: lists whose elements at the same position go
 * into one job. Where a network scatters over several unrelated lists, the grid has the largest such group and the
 * others keep their own fields. A list that reaches the same scatter through another step, such as one that names the
 * samples, belongs to the group unless it has another length.
 */
export function scatteredInputs(
  steps: readonly ScatterStep[],
  inputs: readonly InputRecord[],
  values: InputValues,
): readonly InputRecord[] {
  const columns = columnInputs(inputs).filter(({ secret }) => secret !== true);
  const groups = groupsOf(steps, new Set(columns.map(({ id }) => id)));
  const largest = groups.reduce<Group | undefined>(
    (best, group) => (best === undefined || group.direct.size > best.direct.size ? group : best),
    undefined,
  );
  if (largest === undefined) return [];
  const length = Math.max(...[...largest.direct].map((id) => lengthOf(values[id]) ?? 0));
  const isOfOther = (id: string): boolean => groups.some((group) => group !== largest && group.direct.has(id));
  const fits = (id: string): boolean =>
    largest.indirect.has(id) && !isOfOther(id) && (lengthOf(values[id]) ?? length) === length;
  return columns.filter(({ id }) => largest.direct.has(id) || fits(id));
}

function lengthOf(value: unknown): number | undefined {
  return Array.isArray(value) ? value.length : undefined;
}

interface Group {
  /** Inputs that are scattered themselves. */
  readonly direct: Set<string>;
  /** Inputs of steps whose output is scattered together with them. */
  readonly indirect: Set<string>;
}

/**
 * Lists that are scattered together; the results of a scattered step are aligned with the lists that it was scattered
 * over.
 */
function groupsOf(steps: readonly ScatterStep[], lists: ReadonlySet<string>): readonly Group[] {
  const byId = new Map(steps.map((step) => [step.id, step]));
  const sets = new DisjointSets();
  const indirect: (readonly [string, string])[] = [];
  for (const step of steps) {
    for (const name of step.scatter) {
      const axis = isCrossed(step) ? `${step.id}*${name}` : `${step.id}/`;
      const sources = step.in.find(({ id }) => id === name)?.source ?? [];
      const [source, ...others] = sources;
      if (source === undefined || others.length > 0) continue;
      const before = byId.get(source.split("/")[0] ?? "");
      if (!source.includes("/")) sets.join(axis, source);
      else if (before?.scatter.length === 0)
        indirect.push(...before.in.flatMap((input) => input.source.map((id) => [axis, id] as const)));
      else if (before !== undefined && !isCrossed(before)) sets.join(axis, `${before.id}/`);
    }
  }
  const groups = new Map<string, Group>();
  const groupOf = (member: string): Group => {
    const root = sets.rootOf(member);
    const group = groups.get(root) ?? { direct: new Set(), indirect: new Set() };
    groups.set(root, group);
    return group;
  };
  for (const id of sets.members()) if (lists.has(id)) groupOf(id).direct.add(id);
  for (const [axis, id] of indirect) if (lists.has(id) && groups.has(sets.rootOf(axis))) groupOf(axis).indirect.add(id);
  return [...groups.values()];
}

/** Whether the results of a step have one element per combination of elements, not one per sample. */
function isCrossed({ scatter, scatter_method: method = "dotproduct" }: ScatterStep): boolean {
  return scatter.length > 1 && method !== "dotproduct";
}

class DisjointSets {
  readonly #parents = new Map<string, string>();

  members(): readonly string[] {
    return [...this.#parents.keys()];
  }

  rootOf(member: string): string {
    const parent = this.#parents.get(member);
    if (parent === undefined) this.#parents.set(member, member);
    return parent === undefined || parent === member ? member : this.rootOf(parent);
  }

  join(a: string, b: string): void {
    this.#parents.set(this.rootOf(a), this.rootOf(b));
  }
}

/** Inputs that a column can fill: lists whose entries fit into one cell. */
export function columnInputs(inputs: readonly InputRecord[]): readonly InputRecord[] {
  return inputs.filter(({ type }) => entryType(type) !== undefined);
}

/** Entry type of a list input whose entries fit into one cell. */
export function entryType(type: CwlTypeRecord): CwlTypeRecord | undefined {
  const [list, ...others] = choicesOf(type);
  if (list?.kind !== "array" || others.length > 0) return undefined;
  const entries = choicesOf(list.items);
  return entries.length === 1 && entries.every(({ kind }) => !COMPOUND.has(kind)) ? list.items : undefined;
}
