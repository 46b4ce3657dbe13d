import { CopyButton } from "./copy-button.tsx";

export interface CodeBlockProps {
  readonly text: string;
  readonly label: string;
  /** Long lines are broken instead of scrolled. */
  readonly wrap?: boolean;
  readonly maxHeight?: string;
}

/** Text as it stands, with a copy button. Scrolls by keyboard too. */
export function CodeBlock({ text, label, wrap = false, maxHeight = "24rem" }: CodeBlockProps) {
  return (
    <div className="relative rounded-lg border border-line bg-sunken">
      <div className="absolute top-1.5 right-1.5">
        <CopyButton text={text} />
      </div>
      <pre
        tabIndex={0}
        role="region"
        aria-label={label}
        className={`code overflow-auto py-2.5 pr-24 pl-3 ${wrap ? "wrap-anywhere whitespace-pre-wrap" : ""}`}
        style={{ maxHeight }}
      >
        {text}
      </pre>
    </div>
  );
}
