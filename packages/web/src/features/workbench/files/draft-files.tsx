import { type UseMutationResult, useMutation, useQuery } from "@tanstack/react-query";
import type { Draft, DraftFile, DraftFileChange } from "@weft/shared/records/draft-record.ts";
import { useState } from "react";
import { draftFilesQuery } from "../../../api/queries/draft-queries.ts";
import { formatBytes } from "../../../format/format-bytes.ts";
import { Button } from "../../../ui/button.tsx";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { Input, Field } from "../../../ui/field.tsx";
import { PlainForm, Refusal } from "../../../ui/form.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { onDemand } from "../../../ui/on-demand.tsx";
import { QueryView } from "../../../ui/query-view.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";
import type { DraftSession } from "../saving/draft-session.ts";

const ConfirmDialog = onDemand(() => import("../../../ui/confirm-dialog.tsx"));
const TextEditor = onDemand(() => import("../editor/text-editor.tsx"), <Skeleton rows={12} />);

interface DraftFilesProps {
  readonly draft: Draft;
  readonly session: DraftSession;
}

/** The files next to the document of a draft: helper files, tests and examples. */
export default function DraftFiles({ draft, session }: DraftFilesProps) {
  const query = useQuery({ ...draftFilesQuery(draft.draft_id, session.revision), placeholderData: (before) => before });
  const [open, setOpen] = useState<string | undefined>(undefined);
  const change = useMutation({ mutationFn: (changes: DraftFileChange[]) => session.change(changes) });
  const add = (path: string, files: readonly DraftFile[]): void => {
    // An existing file keeps its text.
    if (files.some((file) => file.path === path)) setOpen(path);
    else change.mutate([{ do: "write", path, text: beginningOf(path) }], { onSuccess: () => setOpen(path) });
  };
  if (open !== undefined)
    return <FileEditor key={open} session={session} path={open} onClose={() => setOpen(undefined)} />;
  return (
    <QueryView query={query}>
      {({ files }) => (
        <div className="space-y-3">
          <NewFile isPending={change.isPending} onAdd={(path) => add(path, files)} />
          <Refusal of={change.error} />
          <FileList files={files} change={change} onOpen={setOpen} />
        </div>
      )}
    </QueryView>
  );
}

/** A test begins with its two parts; other files are empty. */
function beginningOf(path: string): string {
  if (!/^tests\/.*\.ya?ml$/.test(path)) return "";
  return "# The values of the inputs, and the outputs to expect.\ninputs: {}\noutputs: {}\n";
}

type FileChange = Pick<UseMutationResult<void, Error, DraftFileChange[]>, "mutate" | "isPending">;

function NewFile({ isPending, onAdd }: { readonly isPending: boolean; readonly onAdd: (path: string) => void }) {
  const submit = (form: FormData): void => {
    const path = String(form.get("path") ?? "").trim();
    if (path !== "") onAdd(path);
  };
  return (
    <PlainForm className="flex flex-wrap items-end gap-2" onSubmit={submit}>
      <Field label="New file" className="min-w-0 flex-1">
        <Input code name="path" placeholder="tests/small.yml" maxLength={255} required />
      </Field>
      <Button type="submit" disabled={isPending}>
        <Icon name="plus" /> Add file
      </Button>
    </PlainForm>
  );
}

interface FileListProps {
  readonly files: readonly DraftFile[];
  readonly change: FileChange;
  readonly onOpen: (path: string) => void;
}

function FileList({ files, change, onOpen }: FileListProps) {
  if (files.length === 0)
    return <EmptyState text="No files next to the document. Add helper scripts, or tests such as tests/small.yml." />;
  return (
    <ul className="card divide-y divide-line" aria-label="Files of the draft">
      {files.map((file) => (
        <FileRow key={file.path} file={file} change={change} onOpen={onOpen} />
      ))}
    </ul>
  );
}

interface FileRowProps extends Omit<FileListProps, "files"> {
  readonly file: DraftFile;
}

function FileRow({ file: { path, bytes, state }, change, onOpen }: FileRowProps) {
  const [asking, setAsking] = useState<"rename" | "delete" | undefined>(undefined);
  const done = (): void => setAsking(undefined);
  if (asking === "rename") return <RenameRow path={path} change={change} onDone={done} />;
  const isBusy = change.isPending;
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2">
      <Button look="link" className="code min-w-0 flex-1 wrap-anywhere" onClick={() => onOpen(path)}>
        {path}
      </Button>
      <span className="text-small text-soft">
        {formatBytes(bytes)}
        {state === "unchanged" ? "" : `, ${state}`}
      </span>
      <RowButton label="Rename" path={path} isBusy={isBusy} act={() => setAsking("rename")} />
      <RowButton label="Delete" path={path} isBusy={isBusy} act={() => setAsking("delete")} />
      {asking === "delete" && (
        <ConfirmDialog
          title={`Delete ${path}?`}
          confirmLabel="Delete file"
          pending={isBusy}
          onConfirm={() => change.mutate([{ do: "delete", path }], { onSettled: done })}
          onClose={done}
        >
          Its text is deleted for all authors. Published versions keep the file.
        </ConfirmDialog>
      )}
    </li>
  );
}

interface RowButtonProps {
  readonly label: string;
  readonly path: string;
  readonly isBusy: boolean;
  readonly act: () => void;
}

function RowButton({ label, path, isBusy, act }: RowButtonProps) {
  return (
    <Button
      look="quiet"
      small
      className="max-md:min-h-10"
      aria-label={`${label} ${path}`}
      disabled={isBusy}
      onClick={act}
    >
      {label}
    </Button>
  );
}

interface RenameRowProps {
  readonly path: string;
  readonly change: FileChange;
  readonly onDone: () => void;
}

function RenameRow({ path, change, onDone }: RenameRowProps) {
  const rename = (form: FormData): void => {
    const to = String(form.get("to") ?? "").trim();
    if (to === path || to === "") onDone();
    else change.mutate([{ do: "rename", path, to }], { onSuccess: onDone }); // a refused name can be corrected
  };
  return (
    <li className="px-4 py-2">
      <PlainForm className="flex flex-wrap gap-2" onSubmit={rename}>
        <Input
          code
          className="min-w-0 flex-1"
          name="to"
          aria-label={`New path of ${path}`}
          defaultValue={path}
          maxLength={255}
          required
          autoFocus
        />
        <Button small type="submit">
          Rename
        </Button>
        <Button look="quiet" small onClick={onDone}>
          Cancel
        </Button>
      </PlainForm>
    </li>
  );
}

interface FileEditorProps {
  readonly session: DraftSession;
  readonly path: string;
  readonly onClose: () => void;
}

/** Edits the text of one file next to the document. It is saved like the document. */
function FileEditor({ session, path, onClose }: FileEditorProps) {
  const opened = useQuery({ queryKey: ["draft-session", path], queryFn: () => session.open(path), gcTime: 0 });
  return (
    <div className="space-y-3">
      <div className="flex flex-wrap items-center gap-2">
        <Button small onClick={onClose}>
          All files
        </Button>
        <h2 className="code min-w-0 font-semibold wrap-anywhere">{path}</h2>
      </div>
      <QueryView query={opened}>
        {(isText) =>
          isText ? (
            <FileText session={session} path={path} />
          ) : (
            <p>This file is not text, or too large to edit here. It is published as it is.</p>
          )
        }
      </QueryView>
    </div>
  );
}

function FileText({ session, path }: Pick<FileEditorProps, "session" | "path">) {
  if (session.textOf(path) === undefined) return <p role="status">Someone has deleted this file.</p>;
  return (
    <div className="card h-[60vh] overflow-clip">
      <TextEditor session={session} path={path} label={`Text of ${path}`} />
    </div>
  );
}
