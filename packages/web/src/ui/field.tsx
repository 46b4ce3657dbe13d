import { type ChangeEvent, type ComponentProps, type ReactNode, useId, useState } from "react";

interface Bare {
  /** True for no style except `className`. */
  readonly bare?: boolean | undefined;
}

interface FieldProps extends ComponentProps<"label"> {
  readonly label: ReactNode;
  readonly hint?: string | undefined;
  /** For a filter, or a detail among others. */
  readonly isSmall?: boolean;
}

/** A control below its name, with a hint after it. */
export function Field({ label, hint, isSmall = false, className = "", children, ...props }: FieldProps) {
  return (
    <label className={`block ${className}`.trimEnd()} {...props}>
      <span className={`mb-1 block ${isSmall ? "text-small text-soft" : "font-semibold"}`}>{label}</span>
      {children}
      {hint !== undefined && <span className="mt-1 block text-small text-soft">{hint}</span>}
    </label>
  );
}

/** A control after its name. */
export function InlineField({ label, children }: Pick<FieldProps, "label" | "children">) {
  return (
    <label className="flex items-center gap-2">
      <span className="text-soft">{label}</span>
      {children}
    </label>
  );
}

interface TextProps extends Bare {
  /** True for a name, path or code, which the browser neither checks for spelling nor completes. */
  readonly code?: boolean | undefined;
  readonly onType?: ((text: string) => void) | undefined;
}

export interface InputProps extends ComponentProps<"input">, TextProps {
  /** Values that the browser proposes; others can be typed. */
  readonly proposals?: readonly { readonly id: string; readonly label?: string }[];
}

/** A field for one line of text. */
export function Input({ bare, code, className, onType, proposals, ...props }: InputProps) {
  const list = useId();
  const hasList = proposals !== undefined && proposals.length > 0;
  return (
    <>
      <input {...textAttributes({ bare, code, className, onType })} list={hasList ? list : undefined} {...props} />
      {hasList && (
        <datalist id={list}>
          {proposals.map(({ id, label }) => (
            <option key={id} value={id}>
              {label}
            </option>
          ))}
        </datalist>
      )}
    </>
  );
}

/** The text in a field; it follows the value when a link or the back button changes that. */
export function useTextOf(value: string): readonly [string, (text: string) => void] {
  const [text, setText] = useState(value);
  const [seen, setSeen] = useState(value);
  if (seen !== value) {
    setSeen(value);
    setText(value);
  }
  return [text, setText];
}

/** A field for several lines of text. */
export function TextArea({ bare, code, className, onType, ...props }: ComponentProps<"textarea"> & TextProps) {
  return <textarea {...textAttributes({ bare, code, className, onType })} {...props} />;
}

type TextAttributes = TextProps & Pick<ComponentProps<"input">, "className">;

/** Attributes of fields for one line and for several. */
function textAttributes({ bare = false, code = false, className = "", onType }: TextAttributes) {
  return {
    className: inputClass(bare, code ? `code ${className}` : className),
    ...(code && { spellCheck: false, autoComplete: "off" }),
    ...(onType && {
      onChange: ({ target }: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => onType(target.value),
    }),
  };
}

interface SelectProps<Id extends string | number> extends ComponentProps<"select">, Bare {
  /** The text of an option for no value, "". */
  readonly none?: ("" extends Id ? string : never) | undefined;
  readonly options?: readonly { readonly id: Id; readonly label: string }[];
  readonly onChoose?: (id: Id) => void;
}

/** A choice from a list, in the browser's own style; its children are more options. */
export function Select<Id extends string | number>(props: SelectProps<Id>) {
  const { bare = false, className, none, options = [], onChoose, children, ...others } = props;
  // `none` has a type only if Id includes "".
  const all = none === undefined ? options : [{ id: "" as Id, label: none }, ...options];
  const choose = (place: number): void => {
    const chosen = all[place];
    if (chosen !== undefined) onChoose?.(chosen.id);
  };
  return (
    <select className={inputClass(bare, className)} onChange={({ target }) => choose(target.selectedIndex)} {...others}>
      {all.map(({ id, label }) => (
        <option key={id} value={id}>
          {label}
        </option>
      ))}
      {children}
    </select>
  );
}

export function Checkbox({ className = "", ...props }: Omit<ComponentProps<"input">, "type">) {
  return <input type="checkbox" className={`accent-accent ${className}`} {...props} />;
}

export function Radio({ className = "", ...props }: Omit<ComponentProps<"input">, "type">) {
  return <input type="radio" className={`accent-accent ${className}`} {...props} />;
}

interface CheckFieldProps extends Omit<ComponentProps<"input">, "type"> {
  readonly onCheck?: (isChecked: boolean) => void;
  /** True for a text of several lines. */
  readonly isLong?: boolean;
}

/** A checkbox before its name; `className` is that of both. */
export function CheckField({ onCheck, isLong = false, className = "", children, ...props }: CheckFieldProps) {
  return (
    <label className={`flex gap-2 ${isLong ? "items-start" : "items-center"} ${className}`.trimEnd()}>
      <Checkbox
        className={isLong ? "mt-1" : ""}
        onChange={onCheck && ((event) => onCheck(event.target.checked))}
        {...props}
      />
      {children}
    </label>
  );
}

interface RadioFieldProps<Id extends string> {
  readonly legend: string;
  readonly options: readonly { readonly id: Id; readonly label: ReactNode; readonly isOff?: boolean }[];
  readonly chosen: Id;
  readonly onChoose: (id: Id) => void;
  /** True for short options, which share a line. */
  readonly isInline?: boolean;
}

/** A choice between options that are all shown. */
export function RadioField<Id extends string>(props: RadioFieldProps<Id>) {
  const { legend, options, chosen, onChoose, isInline = false } = props;
  const name = useId();
  return (
    <fieldset>
      <legend className="mb-1 font-semibold">{legend}</legend>
      <div className={isInline ? "flex flex-wrap gap-4" : "space-y-1"}>
        {options.map(({ id, label, isOff }) => (
          <label key={id} className="flex items-center gap-2">
            <Radio name={name} checked={id === chosen} disabled={isOff} onChange={() => onChoose(id)} />
            {label}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

/** A number between two limits. */
export function Slider({ className = "", ...props }: Omit<ComponentProps<"input">, "type">) {
  return <input type="range" className={`accent-accent ${className}`} {...props} />;
}

function inputClass(bare: boolean, className = ""): string {
  return bare ? className : `input ${className}`.trimEnd();
}
