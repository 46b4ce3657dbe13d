import type { CatalogDocument } from "@weft/shared/records/draft-record.ts";
import { type FormEvent, useState } from "react";
import { Button } from "../../../ui/button.tsx";
import { CheckField, Field, Input, Select } from "../../../ui/field.tsx";
import { FormDialog } from "../../../ui/form-dialog.tsx";
import { Modal } from "../../../ui/modal.tsx";

/** Maximum number of listed matches. */
const SHOWN = 40;

interface AddStepDialogProps {
  /** The name that the step will get, "" if that is undecided. */
  readonly after: string;
  readonly documents: readonly CatalogDocument[];
  readonly onAdd: (document: CatalogDocument) => void;
  readonly onClose: () => void;
}

const TYPES = ["File", "Directory", "string", "int", "float", "boolean"] as const;

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
        <Field label="Tool or network">
          <Input
            value={words}
            autoComplete="off"
            spellCheck={false}
            autoFocus
            onChange={(event) => setWords(event.target.value)}
          />
        </Field>
        <p role="status" className="sr-only">
          {found.length} found
        </p>
        {found.length === 0 && <p className="text-soft">No tools or networks match "{words}".</p>}
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
          <Button
            look="bare"
            className="flex min-h-10 w-full flex-wrap items-baseline gap-x-2 rounded px-2 py-1.5 text-left hover:bg-accent-soft"
            onClick={() => onAdd(document)}
          >
            <span className="font-medium">{document.label ?? document.id}</span>
            <span className="code text-small text-soft">
              {document.id} {document.version}
            </span>
            <span className="ml-auto text-small text-soft">{document.kind}</span>
          </Button>
        </li>
      ))}
    </ul>
  );
}

/** Documents with every word in their ID, version or label; the newest version of each comes first. */
function matching(documents: readonly CatalogDocument[], words: string): readonly CatalogDocument[] {
  const wanted = words.toLowerCase().split(/\s+/);
  return documents.filter(({ id, version, label, deprecated }) => {
    const text = `${id} ${version ?? ""} ${label ?? ""}`.toLowerCase();
    return !deprecated && wanted.every((word) => text.includes(word));
  });
}

interface AddInputDialogProps {
  readonly onAdd: (name: string, type: string) => void;
  readonly onClose: () => void;
}

/** A new input of the network. */
export function AddInputDialog({ onAdd, onClose }: AddInputDialogProps) {
  const [isList, setIsList] = useState(false);
  const [isOptional, setIsOptional] = useState(false);
  const submit = (form: FormData): void => {
    const type = `${String(form.get("type"))}${isList ? "[]" : ""}${isOptional ? "?" : ""}`;
    onAdd(String(form.get("name")), type);
    onClose();
  };
  return (
    <FormDialog title="Add an input" submitLabel="Add input" onSubmit={submit} onClose={onClose}>
      <Field label="Name">
        <Input className="code" name="name" required pattern="[A-Za-z_]\w*" autoComplete="off" spellCheck={false} />
      </Field>
      <Field label="Type" className="max-w-60">
        <Select name="type" options={TYPES.map((id) => ({ id, label: id }))} />
      </Field>
      <CheckField checked={isList} onCheck={setIsList}>
        A list, such as one per sample
      </CheckField>
      <CheckField checked={isOptional} onCheck={setIsOptional}>
        Optional
      </CheckField>
    </FormDialog>
  );
}
