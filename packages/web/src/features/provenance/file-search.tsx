import { useQuery } from "@tanstack/react-query";
import { useState, type DragEvent, type FormEvent } from "react";
import { useSearchParams } from "react-router-dom";
import { runQuery } from "../../api/run-queries.ts";
import { Button } from "../../ui/button.tsx";
import { Input } from "../../ui/field.tsx";
import { FilePicker } from "../../ui/file-picker.tsx";
import { Icon } from "../../ui/icon.tsx";
import { hashFile } from "./hash-file.ts";

const FIELDS = [
  { name: "q", label: "File name", placeholder: "e.g. measures.csv" },
  { name: "checksum", label: "Checksum", placeholder: "sha1$… or sha256…" },
  { name: "tool", label: "Tool", placeholder: "e.g. threshold" },
  { name: "version", label: "Version", placeholder: "e.g. 2.0.0" },
] as const;

/** A search form; a dropped file is hashed in the browser and looked up by its checksum. */
export function FileSearch() {
  const [params, setParams] = useSearchParams();
  const run = params.get("run") ?? "";
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    const filled = FIELDS.map(({ name }) => [name, String(data.get(name) ?? "").trim()] as [string, string]).filter(
      ([, value]) => value !== "",
    );
    setParams([...filled, ...(run === "" ? [] : [["run", run] as [string, string]])]);
  };
  return (
    <div className="card mb-4 grid gap-x-6 gap-y-3 p-4 xl:grid-cols-[minmax(0,1fr)_auto]">
      <form
        key={params.toString()}
        onSubmit={submit}
        role="search"
        className="grid grid-cols-2 content-start gap-3 md:grid-cols-[2fr_2fr_1fr_1fr_auto]"
      >
        {FIELDS.map(({ name, ...field }) => (
          <SearchInput key={name} name={name} value={params.get(name) ?? ""} {...field} />
        ))}
        <div className="col-span-2 flex items-end gap-2 md:col-span-1">
          <Button look="primary" type="submit">
            <Icon name="search" /> Search
          </Button>
          <Button look="quiet" onClick={() => setParams([])}>
            Clear
          </Button>
        </div>
        {run !== "" && <WithinRun runId={run} onClear={() => setParams(withoutRun)} />}
      </form>
      <HashDrop onHashed={(checksum) => setParams([["checksum", checksum]])} />
    </div>
  );
}

interface SearchInputProps {
  readonly name: string;
  readonly label: string;
  readonly placeholder: string;
  readonly value: string;
}

function SearchInput({ name, label, placeholder, value }: SearchInputProps) {
  return (
    <label>
      <span className="mb-1 block font-semibold">{label}</span>
      <Input name={name} defaultValue={value} placeholder={placeholder} autoComplete="off" spellCheck={false} />
    </label>
  );
}

function withoutRun(params: URLSearchParams): URLSearchParams {
  const next = new URLSearchParams(params);
  next.delete("run");
  return next;
}

/** The search is limited to one run. */
function WithinRun({ runId, onClear }: { readonly runId: string; readonly onClear: () => void }) {
  const run = useQuery(runQuery(runId));
  return (
    <p className="col-span-full flex flex-wrap items-center gap-2 text-soft">
      Within the run <strong className="font-semibold text-ink">{run.data?.name ?? "…"}</strong>
      <Button small onClick={onClear}>
        Search all runs
      </Button>
    </p>
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
      className="flex flex-wrap items-center gap-x-3 gap-y-1 rounded-[10px] border border-dashed border-edge px-4 py-2 xl:w-80"
      onDragOver={(event) => event.preventDefault()}
      onDrop={drop}
    >
      <p className="w-full font-semibold">Where does this file come from?</p>
      <FilePicker
        label="File to look up"
        icon="file"
        text="Select or drop a file"
        onFiles={([file]) => void take(file)}
      />
      <p aria-live="polite" className="min-w-40 flex-1 text-small text-soft">
        {status === "" ? "Only its checksum is looked up; the file stays here." : status}
      </p>
    </div>
  );
}
