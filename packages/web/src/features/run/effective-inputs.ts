import type { InputRecord } from "@weft/shared/records/process-record.ts";

/** One input of a run with its effective value. */
export interface EffectiveInput {
  readonly id: string;
  readonly label: string | undefined;
  readonly type: string | undefined;
  /** `given` with the request, the `default` of the document, or `none`. */
  readonly source: "given" | "default" | "none";
  readonly value: unknown;
}

/** The declared inputs in document order, then given inputs that the document does not declare. */
export function effectiveInputs(
  given: Readonly<Record<string, unknown>>,
  declared: readonly InputRecord[],
): readonly EffectiveInput[] {
  const known = declared.map(({ id, label, type_text: type, default: fallback }): EffectiveInput => {
    const value = given[id];
    // CWL treats null as absent: the default applies then (CWL v1.2 CommandLineTool.html#CommandInputParameter).
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
