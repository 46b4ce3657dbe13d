import { countText, numberText } from "@weft/shared/text/count-text.ts";
import type { ValidationIssue } from "@weft/shared/records/process-record.ts";
import { Link } from "react-router-dom";
import { Notice } from "../../ui/notice.tsx";
import { TitledSection } from "../../ui/titled-section.tsx";

const SHOWN = 3;

/** Problems of a document, each with file, line and column. */
export function IssueList({ issues }: { readonly issues: readonly ValidationIssue[] }) {
  if (issues.length === 0) return null;
  const errors = issues.filter(({ severity }) => severity === "error").length;
  const counts = [
    ...(errors > 0 ? [countText(errors, "error")] : []),
    ...(issues.length > errors ? [countText(issues.length - errors, "warning")] : []),
  ];
  return (
    <TitledSection card tone={errors > 0 ? "failed" : "warning"} title={counts.join(", ")}>
      <ul className="space-y-2">
        {issues.map((issue) => (
          <li key={`${issue.file}${issue.line}${issue.column}${issue.message}`}>
            <a className="link code" href={`#${encodeURI(sourceLineId(issue.file, issue.line))}`}>
              {issue.file}:{issue.line}:{issue.column}
            </a>{" "}
            <span className="font-medium">{issue.severity}</span>: {issue.message}
            {issue.hint !== undefined && <span className="block text-soft">{issue.hint}</span>}
          </li>
        ))}
      </ul>
    </TitledSection>
  );
}

/** An error of a document: its position, message and hint. */
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

/** Id of a source line on its page, for links to it. */
export function sourceLineId(file: string, line: number): string {
  return `${file}:${line}`;
}

interface CannotRunProps {
  readonly noun: "tool" | "network";
  readonly issues: readonly ValidationIssue[];
}

/** Why a document cannot run: its first errors, each with its position and a fix. Nothing if it has none. */
export function CannotRun({ noun, issues }: CannotRunProps) {
  const errors = issues.filter(({ severity }) => severity === "error");
  if (errors.length === 0) return null;
  return (
    <Notice role="alert" tone="failed">
      <p>
        <strong className="text-failed">This {noun} cannot run.</strong> Its document has{" "}
        {errors.length === 1 ? "an error" : countText(errors.length, "error")}:
      </p>
      <ul className="mt-2 space-y-1.5">
        {errors.slice(0, SHOWN).map((issue) => (
          <li key={`${issue.file}${issue.line}:${issue.column}${issue.message}`}>
            <LocatedIssue issue={issue} />
          </li>
        ))}
      </ul>
      <Link className="link mt-2 inline-block" to="?tab=source">
        {errors.length > SHOWN ? `Show all ${numberText(errors.length)} errors in the source` : "Show in the source"}
      </Link>
    </Notice>
  );
}
