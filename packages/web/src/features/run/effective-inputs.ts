import type { InputRecord } from "@weft/shared/records/process-record.ts";

/** One input of a run with the value that was in effect. */
export interface EffectiveInput {
  readonly id: string;
  readonly label: string | undefined;
  readonly type: string | undefined;
  /** `given` with the request, the `default` of the document, or `none`. */
  readonly source: "given" | "default" | "none";
  readonly value: unknown;
}

/** The inputs of the document in its order, then those that were given and that the document does not know. */
export function effectiveInputs(
  given: Readonly<Record<string, unknown>>,
  declared: readonly InputRecord[],
): readonly EffectiveInput[] {
  const known = declared.map(({ id, label, type_text: type, default: fallback }): EffectiveInput => {
    const value = given[id];
    // CWL takes null for absent: the default holds then (CWL v1.2 CommandLineTool.html#CommandInputParameter).
    if (value !== undefined && value !== null) return { id, label, type, source: "given", value };
    if (fallback !== undefined && fallback !== null) return { id, label, type, source: "default", value: fallback };
    return { id, label, type, source: "none", value: null };
  });
  const ids = new Set(declared.map(({ id }) => id));
  const others = Object.entries(given).flatMap(([id, value]): readonly EffectiveInput[] =>
    ids.has(id) ? [] : [{ id, label: undefined, type: undefined, source: "given", value }],
  );
  return [...known, ...others];
}
