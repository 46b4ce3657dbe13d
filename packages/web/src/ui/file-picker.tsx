import { useRef } from "react";
import { Button } from "./button.tsx";
import { Icon, type IconName } from "./icon.tsx";

interface FilePickerProps {
  /** Name of the hidden input, for screen readers. */
  readonly label: string;
  /** The files that the browser offers, as in `<input accept>`. */
  readonly accept?: string;
  readonly multiple?: boolean;
  readonly icon: IconName;
  readonly text: string;
  readonly className?: string;
  /** Called with the chosen files, never with none. */
  readonly onFiles: (files: readonly [File, ...File[]]) => void;
}

/** A button that lets the user choose files. */
export function FilePicker({ label, accept, multiple = false, icon, text, className = "", onFiles }: FilePickerProps) {
  const picker = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={picker}
        type="file"
        accept={accept}
        multiple={multiple}
        className="sr-only"
        tabIndex={-1}
        aria-label={label}
        onChange={(event) => {
          const [first, ...others] = event.target.files ?? [];
          // The user may choose the same file again after it was refused.
          event.target.value = "";
          if (first !== undefined) onFiles([first, ...others]);
        }}
      />
      <Button className={className} onClick={() => picker.current?.click()}>
        <Icon name={icon} /> {text}
      </Button>
    </>
  );
}
