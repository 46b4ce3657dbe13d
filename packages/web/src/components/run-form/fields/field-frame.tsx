import type { CwlTypeRecord } from "@weft/shared/records/cwl-type.ts";
import type { ReactNode } from "react";
import { DocText } from "../../markdown/markdown-view.tsx";
import { CheckField } from "../../../ui/field.tsx";
import type { FieldProblem } from "../model/check-value.ts";
import type { FormPath } from "../model/form-store.ts";
import { usePersisted } from "../../../ui/persisted.ts";
import { fieldId, technicalNames, useFieldProblems, useFieldValue } from "./form-context.ts";

/** Properties of every field. */
export interface FieldProps {
  readonly path: FormPath;
  readonly label: string;
  /** Shown next to the label if the user wants technical names: the type in CWL syntax. */
  readonly typeText?: string | undefined;
  readonly doc?: string | undefined;
  /** Shown below the help: format and secondary files. */
  readonly hint?: string | undefined;
  /** The formats (IRIs) that a file may have. */
  readonly formats?: readonly string[] | undefined;
  readonly required: boolean;
  /** True for an entry of a list, which is always required and not marked as such. */
  readonly isEntry?: boolean;
  /** The value that the server uses by default. */
  readonly defaultText?: string | undefined;
}

export interface CwlFieldProps extends FieldProps {
  readonly type: CwlTypeRecord;
}

/** Draws the field of a value inside a record, list or union; passed in by CwlField, which handles all types. */
export type RenderField = (props: CwlFieldProps) => ReactNode;

/** ARIA attributes that connect an input element with its label, help and problems. */
export interface FieldAria {
  readonly id: string;
  readonly "aria-invalid": boolean;
  readonly "aria-describedby": string | undefined;
}

interface FieldFrameProps extends FieldProps {
  /** Problems inside the value are shown here too. */
  readonly deep?: boolean;
  /** The parts form a group with a legend instead of one element with a label. */
  readonly group?: boolean;
  readonly children: (aria: FieldAria) => ReactNode;
}

/** Label, help and problems around an input element or a group of them. */
export function FieldFrame({ deep = false, group = false, children, ...field }: FieldFrameProps) {
  const problems = useFieldProblems(field.path, deep);
  const aria = ariaOf(field, problems.length > 0);
  const body = (
    <>
      {hasHelp(field) && (
        <div id={`help-${aria.id}`} className="mb-1.5 text-small wrap-anywhere text-soft">
          {field.doc !== undefined && <DocText text={field.doc} />}
          {field.hint !== undefined && <p>{field.hint}</p>}
        </div>
      )}
      {children(aria)}
      <ProblemList id={`problem-${aria.id}`} problems={problems} />
    </>
  );
  return group ? (
    <fieldset
      id={aria.id}
      tabIndex={-1}
      aria-describedby={aria["aria-describedby"]}
      className="min-w-0 rounded-lg outline-none focus:ring-2 focus:ring-accent/40"
    >
      <legend className="mb-1">
        <LabelText {...field} />
      </legend>
      {body}
    </fieldset>
  ) : (
    <div className="min-w-0">
      <label htmlFor={aria.id} className="mb-1 block">
        <LabelText {...field} />
      </label>
      {body}
    </div>
  );
}

function hasHelp({ doc, hint }: FieldProps): boolean {
  return doc !== undefined || hint !== undefined;
}

function ariaOf(field: FieldProps, isInvalid: boolean): FieldAria {
  const id = fieldId(field.path);
  const described = [hasHelp(field) ? `help-${id}` : "", isInvalid ? `problem-${id}` : ""].filter(
    (part) => part !== "",
  );
  return { id, "aria-invalid": isInvalid, "aria-describedby": described.join(" ") || undefined };
}

function ProblemList({ id, problems }: { readonly id: string; readonly problems: readonly FieldProblem[] }) {
  if (problems.length === 0) return null;
  return (
    <ul id={id} className="mt-1 font-medium text-failed">
      {problems.map((problem) => (
        <li key={problem.pointer + problem.message}>{problem.message}</li>
      ))}
    </ul>
  );
}

function LabelText({ label, typeText, required, isEntry = false, defaultText }: FieldProps) {
  const [isNamed] = usePersisted(technicalNames);
  return (
    <span className="flex flex-wrap items-baseline gap-x-2 wrap-anywhere">
      <span className="font-semibold">{label}</span>
      {isNamed && typeText !== undefined && <span className="code text-soft">{typeText}</span>}
      {required && !isEntry && <span className="text-small text-failed">required</span>}
      {defaultText !== undefined && <span className="text-small text-soft">default: {defaultText}</span>}
    </span>
  );
}

interface SettableFrameProps extends FieldProps {
  /** The value after switching it on. */
  readonly start: unknown;
  readonly children: ReactNode;
}

/** The frame of a list or record; an optional one has a switch that sets or clears it. */
export function SettableFrame({ start, children, ...field }: SettableFrameProps) {
  const [value, setValue] = useFieldValue(field.path);
  const isSet = field.required || (value !== undefined && value !== null);
  return (
    <FieldFrame group {...field}>
      {() => (
        <>
          {!field.required && (
            <CheckField
              className={`${isSet ? "mb-2" : ""} min-h-8 w-fit cursor-pointer max-md:min-h-11`}
              checked={isSet}
              onCheck={(on) => setValue(on ? start : undefined)}
            >
              {field.defaultText === undefined ? `Provide ${field.label}` : `Override default of ${field.label}`}
            </CheckField>
          )}
          {isSet && children}
        </>
      )}
    </FieldFrame>
  );
}
