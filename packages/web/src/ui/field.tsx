import type { ComponentProps } from "react";

interface Bare {
  /** Only with the look of `className`. */
  readonly bare?: boolean;
}

/** A line of text. */
export function Input({ bare = false, className, ...props }: ComponentProps<"input"> & Bare) {
  return <input className={inputClass(bare, className)} {...props} />;
}

/** Several lines of text. */
export function TextArea({ bare = false, className, ...props }: ComponentProps<"textarea"> & Bare) {
  return <textarea className={inputClass(bare, className)} {...props} />;
}

/** One choice of a list, shown as the browser does it. */
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
