import type { Diagnostic, SourcePosition } from "../diagnostic.ts";

/** The position of a field of a model part (a step, a step input, an output) in its document. */
export type FieldPosition = (part: object, field: string) => SourcePosition | undefined;

/** The part of a workflow that a finding is about. */
export interface FindingPlace {
  readonly part: { readonly position: SourcePosition };
  /** Path of names for people, `steps.smooth.in.fwhm`. */
  readonly place: string;
  /** The field of the part to point at, if its position is known. */
  readonly field?: string;
}

export interface Finding {
  readonly severity?: "error" | "warning";
  readonly code: string;
  readonly message: string;
  readonly hint?: string | undefined;
}

/** Collects findings without duplicates: a workflow that is used in several places may be checked several times. */
export class LinkFindings {
  readonly #fieldPosition: FieldPosition;
  readonly #diagnostics = new Map<string, Diagnostic>();

  constructor(fieldPosition: FieldPosition) {
    this.#fieldPosition = fieldPosition;
  }

  get diagnostics(): readonly Diagnostic[] {
    return [...this.#diagnostics.values()];
  }

  add({ part, place, field }: FindingPlace, { severity = "error", code, message, hint }: Finding): void {
    const position = (field === undefined ? undefined : this.#fieldPosition(part, field)) ?? part.position;
    const { file, line, column } = position;
    const diagnostic: Diagnostic = {
      severity,
      code,
      message: `${place}: ${message}`,
      file,
      line,
      column,
    };
    const key = [file, line, column, code, message].join(" ");
    this.#diagnostics.set(key, hint === undefined ? diagnostic : { ...diagnostic, hint });
  }
}
