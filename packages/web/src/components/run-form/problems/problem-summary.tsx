import type { FilledInputs } from "@weft/shared/dataset/fill-inputs.ts";
import { countText, numberText } from "@weft/shared/text/count-text.ts";
import { type ReactNode, useEffect, useRef, useSyncExternalStore } from "react";
import { sentence } from "../../../format/sentence.ts";
import { Button } from "../../../ui/button.tsx";
import { ErrorCard } from "../../../ui/error-card.tsx";
import { focusField, useFormStore } from "../fields/form-context.ts";
import { type FormInputs, fieldNames } from "./field-names.ts";
import type { Findings } from "./use-findings.ts";
import { Notice } from "../../../ui/notice.tsx";

/** The maximum number of listed problems, so that the list does not hide the form. Each field shows its own problems. */
const SHOWN = 5;

interface ProblemSummaryProps {
  readonly form: FormInputs;
  readonly findings: Findings;
  /** Called before focusing a field, because a text view may be open. */
  readonly onOpenForm?: (() => void) | undefined;
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
  const count = problems.length + general.length;
  if (failure !== undefined)
    return (
      <div ref={box} tabIndex={-1}>
        {children || <ErrorCard error={failure} />}
      </div>
    );
  if (count === 0) return null;
  const nameOf = fieldNames(form, store.values());
  const open = (pointer: string): void => {
    onOpenForm?.();
    requestAnimationFrame(() => focusField(pointer));
  };
  return (
    <Notice ref={box} role="alert" tabIndex={-1} tone="failed" title={`Fix ${countText(count, "problem")}`}>
      <ul className="list-disc space-y-1 pl-5">
        {general.map((message) => (
          <li key={message}>{message}</li>
        ))}
        {problems.slice(0, SHOWN).map(({ pointer, message }) => (
          <li key={pointer + message}>
            <Button look="link" onClick={() => open(pointer)}>
              {nameOf(pointer)}
            </Button>
            : {message}
          </li>
        ))}
        {problems.length > SHOWN && <li>and {numberText(problems.length - SHOWN)} more, marked in the form</li>}
      </ul>
    </Notice>
  );
}

/** The reasons why some columns of a query cannot fill inputs. */
export function FillProblems({ problems }: Pick<FilledInputs, "problems">) {
  if (problems.length === 0) return null;
  return (
    <ul className="mt-1 list-disc pl-5 text-failed">
      {problems.map(({ column, detail }) => (
        <li key={column}>{sentence(detail)}</li>
      ))}
    </ul>
  );
}
