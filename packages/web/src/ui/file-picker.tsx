import { useRef } from "react";
import { Button } from "./button.tsx";
import { Icon, type IconName } from "./icon.tsx";

interface FileChoice {
  /** Name of the hidden input, for screen readers. */
  readonly label: string;
  /** The files that the browser offers, as in `<input accept>`. */
  readonly accept?: string;
  readonly multiple?: boolean;
  /** Called with the chosen files, never with none. */
  readonly onFiles: (files: readonly [File, ...File[]]) => void;
}

/** A hidden input, and what opens the browser's dialog for files: for an item of a menu, which closes. */
export function useFilePicker({ label, accept, multiple = false, onFiles }: FileChoice) {
  const picker = useRef<HTMLInputElement>(null);
  const input = (
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
  );
  return { input, choose: () => picker.current?.click() };
}

interface FilePickerProps extends FileChoice {
  readonly icon: IconName;
  readonly text: string;
  readonly className?: string;
}

/** A button that lets the user choose files. */
export function FilePicker({ icon, text, className = "", ...choice }: FilePickerProps) {
  const { input, choose } = useFilePicker(choice);
  return (
    <>
      {input}
      <Button className={className} onClick={choose}>
        <Icon name={icon} /> {text}
      </Button>
    </>
  );
}
