import type { FileValue } from "../model/cwl-value.ts";

/** True if format `actual` is the same as `expected`, equivalent to it or a subclass of it, according to an ontology. */
export type IsSubformat = (actual: string, expected: string) => boolean;

interface FormatRules {
  readonly isSubformat?: IsSubformat | undefined;
}

/**
 * A sentence that says why a File's format is not among the accepted ones; undefined if it is. Formats are IRIs; without
 * an ontology they must be equal. CWL v1.2 CommandLineTool.html#File.
 */
export function formatProblem(
  file: FileValue,
  accepted: readonly string[],
  { isSubformat }: FormatRules,
): string | undefined {
  if (accepted.length === 0) return undefined;
  const { format } = file;
  const expected = accepted.map((iri) => `\`${iri}\``).join(" or ");
  if (format === undefined) return `\`${file.basename ?? "the file"}\` has no \`format\`; expected ${expected}`;
  const fits = accepted.some((iri) => iri === format || isSubformat?.(format, iri) === true);
  return fits ? undefined : `\`${file.basename ?? "the file"}\` has the format \`${format}\`; expected ${expected}`;
}
