import { type ReactNode, useEffect, useRef, useSyncExternalStore } from "react";
import { Button } from "../../ui/button.tsx";
import { ErrorCard } from "../../ui/error-card.tsx";
import { focusField, useFormStore } from "./fields/form-context.ts";
import { type FormInputs, fieldNames } from "./field-names.ts";
import type { Findings } from "./use-findings.ts";

/** The maximum number of listed problems, so that the list does not hide the form. Each field shows its own problems. */
const SHOWN = 5;

interface ProblemSummaryProps {
  readonly form: FormInputs;
  readonly findings: Findings;
  /** Called before focusing a field, because a text view may be open. */
  readonly onOpenForm?: () => void;
  /** Shown instead of the error of a failed request. */
  readonly children?: ReactNode;
}

/**
 * The error of a failed request, or all problems, each linked to its field. It is above the form, and takes the focus
 * after each refusal.
 */
export function ProblemSummary({ form, findings, onOpenForm, children }: ProblemSummaryProps) {
  const { general, failure, attempt } = findings;
  const store = useFormStore();
  const problems = useSyncExternalStore(store.subscribe, store.problems);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (attempt > 0) box.current?.focus();
  }, [attempt]);
  if (failure !== undefined)
    return (
      <div ref={box} tabIndex={-1}>
        {children || <ErrorCard error={failure} />}
      </div>
    );
  const count = problems.length + general.length;
  if (count === 0) return null;
  const nameOf = fieldNames(form, store.values());
  const open = (pointer: string): void => {
    onOpenForm?.();
    requestAnimationFrame(() => focusField(pointer));
  };
  return (
    <div ref={box} role="alert" tabIndex={-1} className="card border-failed/50 bg-failed-soft p-4">
      <h2 className="text-failed">{count === 1 ? "Fix 1 problem" : `Fix ${count} problems`}</h2>
      <ul className="mt-1.5 list-disc space-y-1 pl-5">
        {general.map((message) => (
          <li key={message}>{message}</li>
        ))}
        {problems.slice(0, SHOWN).map((problem) => (
          <li key={problem.pointer + problem.message}>
            <Button look="link" onClick={() => open(problem.pointer)}>
              {nameOf(problem.pointer)}
            </Button>
            : {problem.message}
          </li>
        ))}
        {problems.length > SHOWN && <li>and {problems.length - SHOWN} more, marked in the form</li>}
      </ul>
    </div>
  );
}
