import { useState, type FormEvent } from "react";
import { Button } from "../../ui/button.tsx";
import { Input } from "../../ui/field.tsx";
import { Modal } from "../../ui/modal.tsx";

interface RenameDialogProps {
  readonly name: string;
  /** Resolves with why the name cannot be used; undefined if it was changed. */
  readonly onRename: (name: string) => Promise<string | undefined>;
  readonly onClose: () => void;
}

/** Renames an input, output or step everywhere in the document. */
export function RenameDialog({ name, onRename, onClose }: RenameDialogProps) {
  const [refusal, setRefusal] = useState<string | undefined>(undefined);
  const submit = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const wanted = String(new FormData(event.currentTarget).get("name") ?? "").trim();
    const found = wanted === name ? undefined : await onRename(wanted);
    setRefusal(found);
    if (found === undefined) onClose();
  };
  return (
    <Modal title={`Rename ${name}`} onClose={onClose}>
      <form className="space-y-3" onSubmit={(event) => void submit(event)}>
        <label className="block">
          <span className="mb-1 block font-semibold">New name</span>
          <Input className="code" name="name" defaultValue={name} required autoComplete="off" spellCheck={false} />
        </label>
        {refusal !== undefined && (
          <p role="alert" className="text-failed">
            {refusal}
          </p>
        )}
        <Button look="primary" type="submit">
          Rename
        </Button>
      </form>
    </Modal>
  );
}
