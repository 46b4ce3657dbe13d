import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState, type FormEvent } from "react";
import { draftFileQuery, saveDraftFile } from "../../../api/draft-queries.ts";
import { QueryView } from "../../../ui/query-view.tsx";

interface FileEditorProps {
  readonly draftId: string;
  readonly path: string;
  readonly onSaved: () => Promise<void>;
  readonly onClose: () => void;
}

/** Edits the text of one file next to the document. */
export function FileEditor(props: FileEditorProps) {
  const query = useQuery(draftFileQuery(props.draftId, props.path));
  return (
    <div className="space-y-3">
      <div className="flex flex-wrap items-center gap-2">
        <button type="button" className="btn btn-small" onClick={props.onClose}>
          All files
        </button>
        <h2 className="code min-w-0 font-semibold wrap-anywhere">{props.path}</h2>
      </div>
      <QueryView query={query}>
        {({ text }) =>
          text === null ? (
            <p>This file is not text, or too large to edit here. It is published as it is.</p>
          ) : (
            <TextForm {...props} text={text} />
          )
        }
      </QueryView>
    </div>
  );
}

function TextForm({ draftId, path, text: before, onSaved }: FileEditorProps & { readonly text: string }) {
  const [after, setAfter] = useState(before);
  const { save, reload } = useSaving({ draftId, path, onSaved, before, after });
  const isSaved = after === before;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    save.mutate();
  };
  return (
    <form className="space-y-3" onSubmit={submit}>
      <textarea
        className="input code min-h-[50vh] whitespace-pre"
        aria-label={`Text of ${path}`}
        value={after}
        spellCheck={false}
        onChange={(event) => setAfter(event.target.value)}
      />
      {save.error !== null && (
        <p role="alert" className="text-failed wrap-anywhere">
          {save.error.message}
        </p>
      )}
      <div className="flex flex-wrap items-center gap-2">
        <button type="submit" className="btn btn-primary" disabled={isSaved || save.isPending}>
          Save file
        </button>
        <button type="button" className="btn" onClick={() => void reload().then(setAfter)}>
          Reload
        </button>
        <span role="status" className="text-soft">
          {save.isPending ? "Saving…" : isSaved ? "Saved" : "Not saved yet"}
        </span>
      </div>
    </form>
  );
}

interface Saving extends Pick<FileEditorProps, "draftId" | "path" | "onSaved"> {
  readonly before: string;
  readonly after: string;
}

function useSaving({ draftId, path, onSaved, before, after }: Saving) {
  const cache = useQueryClient();
  const save = useMutation({
    mutationFn: () => saveDraftFile(draftId, path, { before, after }),
    onSuccess: async () => {
      cache.setQueryData(draftFileQuery(draftId, path).queryKey, { path, text: after });
      await onSaved();
    },
  });
  const reload = async (): Promise<string> => {
    save.reset();
    return (await cache.fetchQuery({ ...draftFileQuery(draftId, path), staleTime: 0 })).text ?? "";
  };
  return { save, reload };
}
