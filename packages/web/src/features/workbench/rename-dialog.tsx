import { useState } from "react";
import { Field, Input } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";

interface RenameDialogProps {
  readonly name: string;
  /** Resolves with the reason why the name cannot be used; undefined if it was changed. */
  readonly onRename: (name: string) => Promise<string | undefined>;
  readonly onClose: () => void;
}

/** Renames an input, output or step everywhere in the document. */
export function RenameDialog({ name, onRename, onClose }: RenameDialogProps) {
  const [refusal, setRefusal] = useState<string | undefined>(undefined);
  const submit = async (form: FormData): Promise<void> => {
    const wanted = String(form.get("name") ?? "").trim();
    const found = wanted === name ? undefined : await onRename(wanted);
    setRefusal(found);
    if (found === undefined) onClose();
  };
  return (
    <FormDialog
      title={`Rename ${name}`}
      submitLabel="Rename"
      refusal={refusal}
      onSubmit={(form) => void submit(form)}
      onClose={onClose}
    >
      <Field label="New name">
        <Input code name="name" defaultValue={name} required />
      </Field>
    </FormDialog>
  );
}
