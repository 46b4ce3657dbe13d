/**
 * Names with fields in braces, such as `{sample_id}-{index}.txt`: names of runs, destinations of outputs, and file
 * patterns. A fault is the end of a sentence that begins with the name of the template.
 */
export type NameTemplate<Field extends string = string> = readonly NamePart<Field>[];

export type NamePart<Field extends string = string> = { readonly text: string } | { readonly field: Field };

/** The texts and fields of a template in order, or its fault. `isField`: whether the template can have a field. */
export function parseTemplate<Field extends string>(
  template: string,
  isField: (name: string) => name is Field,
): NameTemplate<Field> | string {
  const parts: NamePart<Field>[] = [];
  for (const [at, piece] of template.split(/\{([^{}]*)\}/).entries()) {
    if (at % 2 === 0 && /[{}]/.test(piece)) return `has an unmatched brace in "${template}"`;
    if (at % 2 === 0 && piece !== "") parts.push({ text: piece });
    if (at % 2 === 1 && !isField(piece)) return `cannot have the field {${piece}}`;
    if (at % 2 === 1 && isField(piece)) parts.push({ field: piece });
  }
  return parts;
}

export function fieldsOf<Field extends string>(parts: NameTemplate<Field>): readonly Field[] {
  return parts.flatMap((part) => ("field" in part ? [part.field] : []));
}

/** The name, or the fault. */
export function fillTemplate<Field extends string>(
  parts: NameTemplate<Field>,
  values: Readonly<Record<Field, string | undefined>>,
): { readonly name: string } | string {
  const missing = fieldsOf(parts).find((field) => values[field] === undefined);
  if (missing !== undefined) return `has no {${missing}}`;
  return { name: parts.map((part) => ("field" in part ? values[part.field] : part.text)).join("") };
}

/** Advice for a template with a fault. */
export function fieldsHint(fields: readonly string[]): string {
  return `fields are ${fields.map((field) => `{${field}}`).join(", ")}`;
}
