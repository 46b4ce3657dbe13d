import { useRef } from "react";
import { Button } from "./button.tsx";
import { Icon, type IconName } from "./icon.tsx";

interface FileChoice {
  /** Name of the hidden input, for screen readers. */
  readonly label: string;
  /** The files that the browser offers, as in `<input accept>`. */
  readonly accept?: string;
  readonly multiple?: boolean;
  /** True to choose a folder with all of its files. */
  readonly isFolder?: boolean;
  /** Called with the chosen files, never with none. */
  readonly onFiles: (files: readonly [File, ...File[]]) => void;
}

/** A hidden input, and what opens the browser's dialog for files: for an item of a menu, which closes. */
export function useFilePicker({ label, accept, multiple = false, isFolder = false, onFiles }: FileChoice) {
  const picker = useRef<HTMLInputElement>(null);
  const input = (
    <input
      ref={picker}
      type="file"
      accept={accept}
      multiple={multiple}
      {...(isFolder && { webkitdirectory: "" })}
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

interface FilePickerProps extends Omit<FileChoice, "label"> {
  /** Default: the text of the button. */
  readonly label?: string;
  readonly icon: IconName;
  readonly text: string;
  readonly className?: string;
  readonly disabled?: boolean;
}

/** A button that lets the user choose files. */
export function FilePicker({ icon, text, className = "", disabled = false, label = text, ...choice }: FilePickerProps) {
  const { input, choose } = useFilePicker({ label, ...choice });
  return (
    <>
      {input}
      <Button className={className} disabled={disabled} onClick={choose}>
        <Icon name={icon} /> {text}
      </Button>
    </>
  );
}
