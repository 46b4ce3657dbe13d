import { useState, type FormEvent } from "react";
import { Modal } from "../../../ui/modal.tsx";

const TYPES = ["File", "Directory", "string", "int", "float", "boolean"] as const;

interface AddInputDialogProps {
  readonly onAdd: (name: string, type: string) => void;
  readonly onClose: () => void;
}

/** A new input of the network. */
export function AddInputDialog({ onAdd, onClose }: AddInputDialogProps) {
  const [isList, setIsList] = useState(false);
  const [isOptional, setIsOptional] = useState(false);
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const type = `${String(form.get("type"))}${isList ? "[]" : ""}${isOptional ? "?" : ""}`;
    onAdd(String(form.get("name")), type);
    onClose();
  };
  return (
    <Modal title="Add an input" onClose={onClose}>
      <form className="space-y-3" onSubmit={submit}>
        <NameAndType />
        <label className="flex items-center gap-2">
          <input type="checkbox" checked={isList} onChange={(event) => setIsList(event.target.checked)} />
          A list, such as one per sample
        </label>
        <label className="flex items-center gap-2">
          <input type="checkbox" checked={isOptional} onChange={(event) => setIsOptional(event.target.checked)} />
          Optional
        </label>
        <button type="submit" className="btn btn-primary">
          Add input
        </button>
      </form>
    </Modal>
  );
}

function NameAndType() {
  return (
    <>
      <label className="block">
        <span className="mb-1 block font-semibold">Name</span>
        <input
          name="name"
          className="input code"
          required
          pattern="[A-Za-z_]\w*"
          autoComplete="off"
          spellCheck={false}
        />
      </label>
      <label className="block max-w-60">
        <span className="mb-1 block font-semibold">Type</span>
        <select name="type" className="input">
          {TYPES.map((type) => (
            <option key={type}>{type}</option>
          ))}
        </select>
      </label>
    </>
  );
}
