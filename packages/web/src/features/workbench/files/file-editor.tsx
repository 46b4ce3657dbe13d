import { useQuery } from "@tanstack/react-query";
import { QueryView } from "../../../ui/query-view.tsx";
import type { DraftSession } from "../saving/draft-session.ts";

interface FileEditorProps {
  readonly session: DraftSession;
  readonly path: string;
  readonly onClose: () => void;
}

/** Edits the text of one file next to the document. It is saved like the document. */
export function FileEditor({ session, path, onClose }: FileEditorProps) {
  const opened = useQuery({ queryKey: ["draft-session", path], queryFn: () => session.open(path), gcTime: 0 });
  return (
    <div className="space-y-3">
      <div className="flex flex-wrap items-center gap-2">
        <button type="button" className="btn btn-small" onClick={onClose}>
          All files
        </button>
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
  const text = session.textOf(path);
  if (text === undefined) return <p role="status">Someone has deleted this file.</p>;
  return (
    <textarea
      className="input code min-h-[50vh] whitespace-pre"
      aria-label={`Text of ${path}`}
      value={text}
      spellCheck={false}
      onChange={(event) => session.edit(path, event.target.value)}
    />
  );
}
