import type { ValidationIssue } from "@weft/shared/records/process-record.ts";
import { Link } from "react-router-dom";
import { LocatedIssue } from "./issue-list.tsx";

const SHOWN = 3;

export interface CannotRunProps {
  readonly noun: "tool" | "network";
  readonly issues: readonly ValidationIssue[];
}

/** Why a document cannot run: its first errors, each with its place and how to fix it. Nothing if it has none. */
export function CannotRun({ noun, issues }: CannotRunProps) {
  const errors = issues.filter(({ severity }) => severity === "error");
  if (errors.length === 0) return null;
  return (
    <section role="alert" className="card border-failed/50 px-4 py-3">
      <p>
        <strong className="text-failed">This {noun} cannot run.</strong> Its document has{" "}
        {errors.length === 1 ? "an error" : `${errors.length} errors`}:
      </p>
      <ul className="mt-2 space-y-1.5">
        {errors.slice(0, SHOWN).map((issue) => (
          <li key={`${issue.file}${issue.line}:${issue.column}${issue.message}`}>
            <LocatedIssue issue={issue} />
          </li>
        ))}
      </ul>
      <Link className="link mt-2 inline-block" to="?tab=source">
        {errors.length > SHOWN ? `Show all ${errors.length} errors in the source` : "Show in the source"}
      </Link>
    </section>
  );
}
