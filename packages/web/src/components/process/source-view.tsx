import type { ValidationIssue } from "@weft/shared/records/process-record.ts";
import { CopyButton } from "../../ui/copy-button.tsx";
import { IssueList, sourceLineId } from "./issue-list.tsx";

interface SourceViewProps {
  readonly source: readonly { readonly file: string; readonly text: string }[];
  readonly issues: readonly ValidationIssue[];
}

/** The documents on disk, with line numbers. Problems are listed at the top and marked at their lines. */
export function SourceView({ source, issues }: SourceViewProps) {
  return (
    <div className="space-y-5">
      <IssueList issues={issues} />
      {source.map(({ file, text }) => (
        <section key={file} aria-label={file}>
          <div className="mb-1.5 flex items-center justify-between gap-2">
            <h2 className="code wrap-anywhere">{file}</h2>
            <CopyButton text={text} />
          </div>
          <SourceLines file={file} text={text} issues={issues.filter((issue) => issue.file === file)} />
        </section>
      ))}
    </div>
  );
}

interface SourceLinesProps extends Pick<SourceViewProps, "issues"> {
  readonly file: string;
  readonly text: string;
}

function SourceLines({ file, text, issues }: SourceLinesProps) {
  const marks = new Map(issues.map((issue) => [issue.line, issue.severity]));
  return (
    <div
      tabIndex={0}
      role="region"
      aria-label={`Text of ${file}`}
      className="card code max-h-[75vh] overflow-auto py-2"
    >
      <ol>
        {text
          .replace(/\n$/, "")
          .split("\n")
          .map((line, index) => (
            <li
              key={index}
              id={sourceLineId(file, index + 1)}
              className={`flex whitespace-pre target:bg-accent-soft ${markClass(marks.get(index + 1))}`}
            >
              <span
                aria-hidden="true"
                className="sticky left-0 w-12 shrink-0 bg-surface pr-3 text-right text-soft select-none"
              >
                {index + 1}
              </span>
              <span className="pr-4">{line === "" ? " " : line}</span>
            </li>
          ))}
      </ol>
    </div>
  );
}

function markClass(severity: ValidationIssue["severity"] | undefined): string {
  if (severity === undefined) return "";
  return severity === "error" ? "bg-failed-soft" : "bg-canceled-soft";
}
