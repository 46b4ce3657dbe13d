import { useState } from "react";
import { Icon } from "./icon.tsx";
import { showToast } from "./toast.tsx";

/** Copies `text` to the clipboard and confirms it on the button. */
export function CopyButton({
  text,
  label = "Copy",
  name,
  className = "btn btn-small",
}: {
  readonly text: string;
  readonly label?: string;
  /** Description of the copied text, for assistive technology, if a page has several such buttons. */
  readonly name?: string;
  readonly className?: string;
}) {
  const [copied, setCopied] = useState(false);
  const copy = (): void => {
    // Outside https and localhost browsers have no clipboard.
    if (navigator.clipboard === undefined) return showToast("Clipboard isn't available here");
    void navigator.clipboard.writeText(text).then(
      () => setCopied(true),
      () => showToast("The browser blocked access to the clipboard"),
    );
  };
  return (
    <button type="button" className={className} onClick={copy} onBlur={() => setCopied(false)}>
      <Icon name={copied ? "check" : "copy"} className="size-3.5" />
      <span aria-live="polite">
        {copied ? "Copied" : label}
        {name !== undefined && <span className="sr-only"> {name}</span>}
      </span>
    </button>
  );
}
