import type { RunSummary } from "@weft/shared/records/run-record.ts";
import { useState } from "react";
import { countText } from "@weft/shared/text/count-text.ts";
import { parseTags } from "../../format/tags-text.ts";
import { CheckField, Field, TextArea } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import type { RunsChange } from "./describe-selected.tsx";

interface TagDialogProps {
  readonly selected: readonly RunSummary[];
  readonly pending: boolean;
  readonly onChange: (change: RunsChange) => void;
  readonly onClose: () => void;
}

/** Adds tags to the selected runs and removes some that they have. */
export default function TagDialog({ selected, pending, onChange, onClose }: TagDialogProps) {
  const [problem, setProblem] = useState("");
  const present = [...new Set(selected.flatMap(({ tags }) => Object.keys(tags)))].toSorted();
  const submit = (form: FormData): void => {
    const added = parseTags(String(form.get("add") ?? ""));
    const removed = form.getAll("remove").map(String);
    const isEmpty = Object.keys(added.tags).length === 0 && removed.length === 0;
    const wrong = added.problem || (isEmpty ? "Write a tag to add, or choose one to remove." : "");
    setProblem(wrong);
    if (wrong === "") onChange({ add_tags: added.tags, remove_tags: removed });
  };
  return (
    <FormDialog
      title={`Tags of ${countText(selected.length, "run")}`}
      submitLabel="Change tags"
      isPending={pending}
      refusal={problem}
      onSubmit={submit}
      onClose={onClose}
    >
      <Field label="Add">
        <TextArea className="code min-h-20" name="add" placeholder={"paper: figure-2\nchecked"} />
      </Field>
      <RemovedTags present={present} />
    </FormDialog>
  );
}

function RemovedTags({ present }: { readonly present: readonly string[] }) {
  if (present.length === 0) return null;
  return (
    <fieldset>
      <legend className="mb-1 font-semibold">Remove</legend>
      <div className="flex flex-wrap gap-x-4 gap-y-2">
        {present.map((tag) => (
          <CheckField key={tag} className="wrap-anywhere" name="remove" value={tag}>
            {tag}
          </CheckField>
        ))}
      </div>
    </fieldset>
  );
}
