import type { CreateRun } from "@weft/shared/records/run-record.ts";
import type { InputValues } from "./form-store.ts";

/** Names that a sample sheet gave to the entries of lists. */
export interface NamedSamples {
  readonly names: readonly string[];
  /** The lists as the sheet filled them, by input. */
  readonly lists: Readonly<Record<string, readonly unknown[]>>;
}

/** Whether the lists still are as the sheet filled them: entries that were moved would get the names of others. */
export function namesStillFit(samples: NamedSamples, values: InputValues): boolean {
  return Object.entries(samples.lists).every(([id, list]) => {
    const now = values[id];
    return now === list || JSON.stringify(now) === JSON.stringify(list);
  });
}

/** The names as the API takes them: of each list that the sheet filled, those of its elements. */
export function sampleNames({ names, lists }: NamedSamples): NonNullable<CreateRun["samples"]> {
  return Object.fromEntries(Object.keys(lists).map((id) => [id, [...names]]));
}
