import { useState } from "react";
import { Button, type ButtonProps } from "./button.tsx";
import { Icon } from "./icon.tsx";
import { showError } from "./toast.tsx";

/** Copies `text` to the clipboard and confirms it on the button. */
export function CopyButton({
  text,
  label = "Copy",
  name,
  look = "plain",
  small = true,
  className = "",
}: Pick<ButtonProps, "look" | "small" | "className"> & {
  readonly text: string;
  readonly label?: string;
  /** Description of the copied text, for assistive technology, if a page has several such buttons. */
  readonly name?: string;
}) {
  const [copied, setCopied] = useState(false);
  const copy = (): void => {
    // Browsers provide the clipboard only on https and localhost.
    if (navigator.clipboard === undefined) return showError("Nothing was copied: the clipboard isn't available here");
    void navigator.clipboard.writeText(text).then(
      () => setCopied(true),
      () => showError("Nothing was copied: the browser blocked access to the clipboard"),
    );
  };
  return (
    <Button look={look} small={small} className={className} onClick={copy} onBlur={() => setCopied(false)}>
      <Icon name={copied ? "check" : "copy"} className="size-3.5" />
      <span aria-live="polite">
        {copied ? "Copied" : label}
        {name !== undefined && <span className="sr-only"> {name}</span>}
      </span>
    </Button>
  );
}
