import { useState, type DragEvent, type FormEvent } from "react";
import { useSearchParams } from "react-router-dom";
import { FilePicker } from "../../ui/file-picker.tsx";
import { Icon } from "../../ui/icon.tsx";
import { hashFile } from "./hash-file.ts";

const FIELDS = [
  { name: "q", label: "File name", placeholder: "part of it, or its first letter" },
  { name: "checksum", label: "Checksum", placeholder: "SHA-1 or SHA-256, with or without its name" },
  { name: "tool", label: "Tool", placeholder: "id of the tool whose jobs read or wrote it" },
  { name: "version", label: "Version", placeholder: "of the tool" },
  { name: "run", label: "Run id", placeholder: "of the run that read or wrote it" },
] as const;

/** What to look for; a file that is dropped is hashed in the browser and looked up by its checksum. */
export function FileSearch() {
  const [params, setParams] = useSearchParams();
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    const filled = FIELDS.map(({ name }) => [name, String(data.get(name) ?? "").trim()] as [string, string]).filter(
      ([, value]) => value !== "",
    );
    setParams(filled);
  };
  return (
    <div className="mb-4 grid items-stretch gap-3 lg:grid-cols-[minmax(0,1fr)_20rem]">
      <form key={params.toString()} onSubmit={submit} role="search" className="card grid gap-3 p-4 md:grid-cols-3">
        {FIELDS.map(({ name, label, placeholder }) => (
          <label key={name}>
            <span className="mb-1 block font-semibold">{label}</span>
            <input
              name={name}
              className="input"
              defaultValue={params.get(name) ?? ""}
              placeholder={placeholder}
              autoComplete="off"
              spellCheck={false}
            />
          </label>
        ))}
        <div className="flex gap-2 md:col-span-3">
          <button type="submit" className="btn btn-primary">
            <Icon name="search" /> Search
          </button>
          <button type="button" className="btn btn-quiet" onClick={() => setParams([])}>
            Clear
          </button>
        </div>
      </form>
      <HashDrop onHashed={(checksum) => setParams([["checksum", checksum]])} />
    </div>
  );
}

function HashDrop({ onHashed }: { readonly onHashed: (checksum: string) => void }) {
  const [status, setStatus] = useState("");
  const take = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return;
    setStatus(`Hashing ${file.name}…`);
    try {
      onHashed(await hashFile(file));
      setStatus("");
    } catch (error) {
      setStatus(error instanceof Error ? error.message : String(error));
    }
  };
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    void take(event.dataTransfer.files[0]);
  };
  return (
    <div
      className="flex flex-col items-center justify-center gap-2 rounded-[10px] border border-dashed border-edge p-4 text-center"
      onDragOver={(event) => event.preventDefault()}
      onDrop={drop}
    >
      <p>Where does this file come from?</p>
      <FilePicker
        label="File to look up"
        icon="file"
        text="Choose or drop a file"
        onFiles={([file]) => void take(file)}
      />
      <p aria-live="polite" className="text-[0.8125rem] text-soft">
        {status === "" ? "Only its checksum is looked up; the file stays here." : status}
      </p>
    </div>
  );
}
