import type { CatalogDocument } from "@weft/shared/records/draft-record.ts";
import { useState, type FormEvent } from "react";
import { Modal } from "../../../ui/modal.tsx";

/** At most this many matches are listed. */
const SHOWN = 40;

interface AddStepDialogProps {
  /** The name that the step will get, "" if that is open. */
  readonly after: string;
  readonly documents: readonly CatalogDocument[];
  readonly onAdd: (document: CatalogDocument) => void;
  readonly onClose: () => void;
}

/** Finds a tool or network of the catalog by typing; Enter adds the first match. */
export function AddStepDialog({ after, documents, onAdd, onClose }: AddStepDialogProps) {
  const [words, setWords] = useState("");
  const found = matching(documents, words);
  const add = (document: CatalogDocument): void => {
    onAdd(document);
    onClose();
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (found[0] !== undefined) add(found[0]);
  };
  return (
    <Modal title={after === "" ? "Add a step" : `Add a step after ${after}`} onClose={onClose}>
      <form onSubmit={submit} className="space-y-3">
        <label className="block">
          <span className="mb-1 block font-semibold">Tool or network</span>
          <input
            className="input"
            value={words}
            autoComplete="off"
            spellCheck={false}
            autoFocus
            onChange={(event) => setWords(event.target.value)}
          />
        </label>
        <p role="status" className="sr-only">
          {found.length} found
        </p>
        {found.length === 0 && <p className="text-soft">No tools or networks match “{words}”.</p>}
        <Matches documents={found.slice(0, SHOWN)} onAdd={add} />
      </form>
    </Modal>
  );
}

function Matches({ documents, onAdd }: Pick<AddStepDialogProps, "documents" | "onAdd">) {
  return (
    <ul className="divide-y divide-line">
      {documents.map((document) => (
        <li key={document.path}>
          <button
            type="button"
            className="flex min-h-10 w-full flex-wrap items-baseline gap-x-2 rounded px-2 py-1.5 text-left hover:bg-accent-soft"
            onClick={() => onAdd(document)}
          >
            <span className="font-medium">{document.label ?? document.id}</span>
            <span className="code text-[0.8125rem] text-soft">
              {document.id} {document.version}
            </span>
            <span className="ml-auto text-[0.8125rem] text-soft">{document.kind}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}

/** Every word occurs in the ID, version or label; the newest version of each comes first. */
function matching(documents: readonly CatalogDocument[], words: string): readonly CatalogDocument[] {
  const wanted = words.toLowerCase().split(/\s+/);
  return documents.filter(({ id, version, label, deprecated }) => {
    const text = `${id} ${version ?? ""} ${label ?? ""}`.toLowerCase();
    return !deprecated && wanted.every((word) => text.includes(word));
  });
}
