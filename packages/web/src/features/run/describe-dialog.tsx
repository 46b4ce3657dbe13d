import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { DescribeRun, Run } from "@weft/shared/records/run-record.ts";
import { useState, type FormEvent } from "react";
import { runKeys } from "../../api/run-queries.ts";
import { describeRun } from "../../api/start-run.ts";
import { Modal } from "../../ui/modal.tsx";
import { parseTags, tagsText } from "../../format/tags-text.ts";
import { Button } from "../../ui/button.tsx";
import { Input, TextArea } from "../../ui/field.tsx";

interface DescribeDialogProps {
  readonly run: Run;
  readonly onClose: () => void;
}

/** Changes the name, note and tags of a run. */
export default function DescribeDialog({ run, onClose }: DescribeDialogProps) {
  return (
    <Modal title="Name, note and tags" onClose={onClose} isForm>
      <DescribeForm run={run} onClose={onClose} />
    </Modal>
  );
}

function DescribeForm({ run, onClose }: DescribeDialogProps) {
  const [problem, setProblem] = useState("");
  const save = useSave(run, onClose);
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const text = (name: string) => String(form.get(name) ?? "").trim();
    const tags = parseTags(text("tags"));
    setProblem(tags.problem);
    if (tags.problem === "") save.mutate({ name: text("name"), note: text("note"), tags: tags.tags });
  };
  const failure = problem || save.error?.message;
  return (
    <form className="space-y-4" onSubmit={submit}>
      <Fields run={run} />
      {failure !== undefined && (
        <p role="alert" className="text-failed wrap-anywhere">
          {failure}
        </p>
      )}
      <Button look="primary" type="submit" disabled={save.isPending}>
        {save.isPending ? "Saving…" : "Save"}
      </Button>
    </form>
  );
}

function useSave(run: Run, onSaved: () => void) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (body: DescribeRun) => describeRun(run.run_id, body),
    onSuccess: (changed) => {
      cache.setQueryData(runKeys.detail(run.run_id), changed);
      void cache.invalidateQueries({ queryKey: runKeys.lists });
      onSaved();
    },
  });
}

function Fields({ run }: { readonly run: Run }) {
  return (
    <>
      <label className="block">
        <span className="mb-1 block font-semibold">Name</span>
        <Input name="name" defaultValue={run.name} maxLength={200} required autoComplete="off" />
      </label>
      <label className="block">
        <span className="mb-1 block font-semibold">Note</span>
        <TextArea className="min-h-24" name="note" defaultValue={run.note} maxLength={4000} />
      </label>
      <label className="block">
        <span className="mb-1 block font-semibold">Tags</span>
        <TextArea
          className="code min-h-20"
          name="tags"
          aria-describedby="tags-hint"
          defaultValue={tagsText(run.tags)}
          placeholder={"paper: figure-2\nchecked"}
        />
      </label>
      <p id="tags-hint" className="-mt-3 text-small text-soft">
        One per line: <code className="code">name</code> or <code className="code">name: value</code>.
      </p>
    </>
  );
}
