import type { ValidationIssue } from "@weft/shared/records/process-record.ts";

/** An error of a document: its place, message and hint. */
export function LocatedIssue({ issue: { file, line, column, message, hint } }: { readonly issue: ValidationIssue }) {
  return (
    <>
      <span className="code">
        {file}:{line}:{column}
      </span>{" "}
      {message}
      {hint !== undefined && <span className="block text-soft">{hint}</span>}
    </>
  );
}
