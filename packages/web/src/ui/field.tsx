import type { ComponentProps, ReactNode } from "react";

interface Bare {
  /** True for no style except `className`. */
  readonly bare?: boolean;
}

interface FieldProps extends ComponentProps<"label"> {
  readonly label: ReactNode;
  readonly hint?: string | undefined;
}

/** A control below its name, with a hint after it. */
export function Field({ label, hint, className = "", children, ...props }: FieldProps) {
  return (
    <label className={`block ${className}`.trimEnd()} {...props}>
      <span className="mb-1 block font-semibold">{label}</span>
      {children}
      {hint !== undefined && <span className="mt-1 block text-small text-soft">{hint}</span>}
    </label>
  );
}

/** A field for one line of text. */
export function Input({ bare = false, className, ...props }: ComponentProps<"input"> & Bare) {
  return <input className={inputClass(bare, className)} {...props} />;
}

/** A field for several lines of text. */
export function TextArea({ bare = false, className, ...props }: ComponentProps<"textarea"> & Bare) {
  return <textarea className={inputClass(bare, className)} {...props} />;
}

/** A choice from a list, in the browser's own style. */
export function Select({ bare = false, className, ...props }: ComponentProps<"select"> & Bare) {
  return <select className={inputClass(bare, className)} {...props} />;
}

export function Checkbox({ className = "", ...props }: Omit<ComponentProps<"input">, "type">) {
  return <input type="checkbox" className={`accent-accent ${className}`} {...props} />;
}

export function Radio({ className = "", ...props }: Omit<ComponentProps<"input">, "type">) {
  return <input type="radio" className={`accent-accent ${className}`} {...props} />;
}

/** A number between two limits. */
export function Slider({ className = "", ...props }: Omit<ComponentProps<"input">, "type">) {
  return <input type="range" className={`accent-accent ${className}`} {...props} />;
}

function inputClass(bare: boolean, className = ""): string {
  return bare ? className : `input ${className}`.trimEnd();
}
