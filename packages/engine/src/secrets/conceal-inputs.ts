import { randomUUID } from "node:crypto";
import type { CwlObject, CwlValue } from "@weft/cwl/model/cwl-value.ts";
import { holdsPlaceholder, mapTexts, RunSecrets } from "./run-secrets.ts";

export interface ConcealedInputs {
  /** The values, with a placeholder for each string of a secret input. */
  readonly values: CwlObject;
  readonly secrets: RunSecrets;
  /** Inputs whose secret is a placeholder, copied from the record of another run, which no longer knows it. */
  readonly unknown: readonly string[];
}

/** Replaces the strings of secret inputs in an input object. Equal strings get the same placeholder. */
export function concealInputs(inputs: CwlObject, secretIds: ReadonlySet<string>): ConcealedInputs {
  const placeholders = new Map<string, string>();
  const conceal = (text: string) => {
    const placeholder = placeholders.get(text) ?? `(secret-${randomUUID()})`;
    placeholders.set(text, placeholder);
    return placeholder;
  };
  const values = Object.entries(inputs).map(([id, value]) =>
    secretIds.has(id) ? ([id, mapTexts(value, conceal)] as const) : ([id, value] as const),
  );
  return {
    values: Object.fromEntries(values),
    secrets: new RunSecrets(new Map([...placeholders].map(([text, placeholder]) => [placeholder, text]))),
    unknown: Object.keys(inputs).filter((id) => secretIds.has(id) && isPlaceholder(inputs[id] ?? null)),
  };
}

function isPlaceholder(value: CwlValue): boolean {
  let found = false;
  mapTexts(value, (text) => {
    found ||= holdsPlaceholder(text);
    return text;
  });
  return found;
}
