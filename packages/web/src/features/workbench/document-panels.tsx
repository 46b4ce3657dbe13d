import { countText } from "@weft/shared/text/count-text.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Icon } from "../../ui/icon.tsx";
import type { OutlineEntry, Problem, TextChange } from "./language/document-language.ts";

/** A document with more problems has one cause for most of them. */
const SHOWN = 100;

interface ProblemListProps {
  readonly problems: readonly Problem[];
  readonly onShow: (offset: number) => void;
  readonly onFix: (changes: readonly TextChange[]) => void;
}

/** The problems of the text, each with a link to its place and the fixes that Weft knows. */
export function ProblemList({ problems, onShow, onFix }: ProblemListProps) {
  const errors = problems.filter(({ severity }) => severity === "error").length;
  return (
    <section aria-label="Problems" className="max-h-44 overflow-y-auto border-t border-line px-3 py-2 text-compact">
      <h2 className="text-compact font-semibold">{headingOf(errors, problems.length - errors)}</h2>
      <ul className="mt-1 space-y-1">
        {problems.slice(0, SHOWN).map((problem) => (
          <li key={`${problem.from} ${problem.message}`} className="flex flex-wrap items-baseline gap-x-2">
            <Button
              look="bare"
              className="flex min-w-0 items-baseline gap-1.5 text-left hover:underline"
              onClick={() => onShow(problem.from)}
            >
              <span className={problem.severity === "error" ? "text-failed" : "text-canceled"}>
                <Icon name={problem.severity} className="inline size-3.5" />
                <span className="sr-only">{problem.severity}: </span>
              </span>
              <span className="text-soft tabular-nums">Line {problem.line}</span>
              <span className="wrap-anywhere">{problem.message}</span>
            </Button>
            {problem.fixes.map(({ title, changes }) => (
              <Button small key={title} onClick={() => onFix(changes)}>
                {title}
              </Button>
            ))}
            {problem.hint !== undefined && problem.fixes.length === 0 && (
              <span className="text-soft wrap-anywhere">{problem.hint}</span>
            )}
          </li>
        ))}
      </ul>
      {problems.length > SHOWN && <p className="mt-1 text-soft">And {problems.length - SHOWN} more.</p>}
    </section>
  );
}

function headingOf(errors: number, warnings: number): string {
  const parts = [
    ...(errors > 0 ? [countText(errors, "error")] : []),
    ...(warnings > 0 ? [countText(warnings, "warning")] : []),
  ];
  return parts.length === 0 ? "No problems" : parts.join(", ");
}

interface OutlineProps {
  readonly entries: readonly OutlineEntry[];
  readonly onShow: (offset: number) => void;
}

/** The inputs, steps and outputs of a document; each leads to its place in the text. */
export function Outline({ entries, onShow }: OutlineProps) {
  if (entries.length === 0) return <EmptyState text="The text has errors and has no outline." />;
  return (
    <div className="card max-h-[70vh] overflow-y-auto p-3">
      <Entries entries={entries} onShow={onShow} className="space-y-1 font-medium" />
    </div>
  );
}

function Entries({ entries, onShow, className }: OutlineProps & { readonly className: string }) {
  return (
    <ul className={className}>
      {entries.map((entry) => (
        <li key={`${entry.kind} ${entry.name} ${entry.from}`}>
          <Button
            look="bare"
            className="flex min-h-8 w-full items-baseline gap-2 rounded px-2 text-left hover:bg-accent-soft"
            onClick={() => onShow(entry.from)}
          >
            {entry.name}{" "}
            <span className="text-small font-normal text-soft">
              {entry.kind === "process" ? "" : entry.kind} {entry.detail}
            </span>
          </Button>
          {entry.children.length > 0 && (
            <Entries entries={entry.children} onShow={onShow} className="ml-4 font-normal" />
          )}
        </li>
      ))}
    </ul>
  );
}
