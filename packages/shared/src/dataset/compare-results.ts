import type { QueriedSample, QueryResult } from "../records/dataset-record.ts";
import { STARTED_BEFORE } from "./narrow-result.ts";

/** The difference between the recorded and the current state of a sample. */
export interface SampleChange {
  readonly name: string;
  readonly kind: "new" | "changed" | "gone";
  /** The reason why the sample was or is omitted; empty if it is unknown. */
  readonly reason: string;
}

/** The differences between a query's current and earlier result: new samples first. */
export function compareResults(then: QueryResult, now: QueryResult): readonly SampleChange[] {
  const before = byName(then.samples);
  const after = byName(now.samples);
  const [reasonsThen, reasonsNow] = [reasonsOf(then), reasonsOf(now)];
  const fresh = now.samples.flatMap(({ name }): SampleChange[] => {
    const reason = reasonsThen.get(name) ?? "";
    return before.has(name) || reason === STARTED_BEFORE ? [] : [{ name, kind: "new", reason }];
  });
  const changed = now.samples.flatMap((sample): SampleChange[] => {
    const old = before.get(sample.name);
    return old === undefined || contentOf(old) === contentOf(sample)
      ? []
      : [{ name: sample.name, kind: "changed", reason: "" }];
  });
  const gone = then.samples.flatMap(({ name }): SampleChange[] =>
    after.has(name) ? [] : [{ name, kind: "gone", reason: reasonsNow.get(name) ?? "" }],
  );
  return [...fresh, ...changed, ...gone];
}

function byName(samples: readonly QueriedSample[]): ReadonlyMap<string, QueriedSample> {
  return new Map(samples.map((sample) => [sample.name, sample]));
}

function reasonsOf({ left_out: leftOut }: QueryResult): ReadonlyMap<string, string> {
  return new Map(leftOut.flatMap(({ kind, name, reason }) => (kind === "sample" ? [[name, reason] as const] : [])));
}

function contentOf({ columns, bytes, modified_at: modified }: QueriedSample): string {
  return JSON.stringify([columns, bytes, modified]);
}
