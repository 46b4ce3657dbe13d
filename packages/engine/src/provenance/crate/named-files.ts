/** A file or folder that a packed document refers to. */
export interface NamedFile {
  readonly reference: string;
  readonly class: "File" | "Directory";
}

const MAX_DEPTH = 500;

/**
 * The references to files in a packed document: in defaults, staged files and lists of ontologies. The document of a
 * crate may be nested deeper than any that can be loaded.
 */
export function* namedFiles(value: unknown, depth = 0): Generator<NamedFile> {
  if (depth > MAX_DEPTH) return;
  if (Array.isArray(value)) for (const item of value) yield* namedFiles(item, depth + 1);
  else if (typeof value === "object" && value !== null) {
    const kind = "class" in value && (value.class === "File" || value.class === "Directory") ? value.class : undefined;
    for (const [field, inner] of Object.entries(value)) {
      if (kind !== undefined && isReference(field, inner)) yield { reference: inner, class: kind };
      else if (field === "$schemas" && Array.isArray(inner))
        yield* inner
          .filter((one) => typeof one === "string")
          .map((reference) => ({ reference, class: "File" as const }));
      else yield* namedFiles(inner, depth + 1);
    }
  }
}

/** False for a string with an expression, which is not a reference until it is evaluated. */
export function isReference(field: string, value: unknown): value is string {
  return (field === "location" || field === "path") && typeof value === "string" && !/\$[({]/.test(value);
}

export function resolvedReference(reference: string, documentUri: string): string | undefined {
  return URL.canParse(reference, documentUri) ? new URL(reference, documentUri).href : undefined;
}
