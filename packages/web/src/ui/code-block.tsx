import type { ReactNode } from "react";
import { CopyButton } from "./copy-button.tsx";

/** A name or address in the font of code. */
export function Code({ children }: { readonly children: ReactNode }) {
  return <code className="code">{children}</code>;
}

interface CodeBlockProps {
  readonly text: string;
  readonly label: string;
  /** Wrap long lines instead of scrolling. */
  readonly wrap?: boolean;
  readonly maxHeight?: string;
  /** True for the output of a command, which has no copy button. */
  readonly isOutput?: boolean;
  /** "group" on pages with many blocks, which would be too many landmarks. */
  readonly role?: "region" | "group";
}

/** Preformatted text with a copy button. Keyboard users can scroll it. */
export function CodeBlock({
  text,
  label,
  wrap = false,
  maxHeight = "24rem",
  isOutput = false,
  role = "region",
}: CodeBlockProps) {
  return (
    <div className={`relative rounded-lg border border-line ${isOutput ? "border-dashed" : "bg-sunken"}`}>
      {!isOutput && (
        <div className="absolute top-1.5 right-1.5">
          <CopyButton text={text} />
        </div>
      )}
      <pre
        tabIndex={0}
        role={role}
        aria-label={label}
        className={`code overflow-auto py-2.5 pr-24 pl-3 ${wrap ? "wrap-anywhere whitespace-pre-wrap" : ""}`}
        style={{ maxHeight }}
      >
        {text}
      </pre>
    </div>
  );
}
