import type { Run } from "@weft/shared/records/run-record.ts";
import { useState } from "react";
import { useDescribeRun } from "../../../api/queries/run-queries.ts";
import { parseTags, tagsText } from "../../../format/tags-text.ts";
import { Field, Input, TextArea } from "../../../ui/field.tsx";
import { FormDialog } from "../../../ui/form-dialog.tsx";

interface DescribeDialogProps {
  readonly run: Run;
  readonly onClose: () => void;
}

/** Changes the name, note and tags of a run. */
export default function DescribeDialog({ run, onClose }: DescribeDialogProps) {
  const [problem, setProblem] = useState("");
  const save = useDescribeRun(run.run_id, { onDone: onClose });
  const submit = (form: FormData): void => {
    const text = (name: string) => String(form.get(name) ?? "").trim();
    const tags = parseTags(text("tags"));
    setProblem(tags.problem);
    if (tags.problem === "") save.mutate({ name: text("name"), note: text("note"), tags: tags.tags });
  };
  return (
    <FormDialog
      title="Name, note and tags"
      submitLabel="Save"
      pendingLabel="Saving…"
      isPending={save.isPending}
      refusal={problem || save.error}
      onSubmit={submit}
      onClose={onClose}
    >
      <Fields run={run} />
    </FormDialog>
  );
}

function Fields({ run }: { readonly run: Run }) {
  return (
    <>
      <Field label="Name">
        <Input name="name" defaultValue={run.name} maxLength={200} required autoComplete="off" />
      </Field>
      <Field label="Note">
        <TextArea className="min-h-24" name="note" defaultValue={run.note} maxLength={4000} />
      </Field>
      <Field label="Tags">
        <TextArea
          className="code min-h-20"
          name="tags"
          aria-describedby="tags-hint"
          defaultValue={tagsText(run.tags)}
          placeholder={"paper: figure-2\nchecked"}
        />
      </Field>
      <p id="tags-hint" className="-mt-3 text-small text-soft">
        One per line: <code className="code">name</code> or <code className="code">name: value</code>.
      </p>
    </>
  );
}
