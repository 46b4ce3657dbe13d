import { useMutation } from "@tanstack/react-query";
import type { DraftGroup } from "@weft/shared/records/draft-group-record.ts";
import { useState, type DragEvent, type FormEvent } from "react";
import { useNavigate } from "react-router-dom";
import { importFiles, importUrl, type Collisions } from "../../../api/draft-group-queries.ts";
import { chosenFiles, droppedFiles, packFiles, titleOf, type ChosenFile } from "./pack-files.ts";

/** Makes drafts of CWL files, folders and zips, of a document on the web, or of a tool in a registry. */
export function ImportForm() {
  const [collisions, setCollisions] = useState<Collisions>("new-version");
  const fromFiles = useImport((files: readonly ChosenFile[]) => sendFiles(files, collisions));
  const fromUrl = useImport((url: string) => importUrl({ url, collisions }));
  const error = fromFiles.error ?? fromUrl.error;
  const isPending = fromFiles.isPending || fromUrl.isPending;
  return (
    <div className="max-w-180 space-y-5">
      <DropZone isPending={isPending} onFiles={fromFiles.mutate} />
      <UrlForm isPending={isPending} onUrl={fromUrl.mutate} />
      <CollisionChoice value={collisions} onChange={setCollisions} />
      {isPending && <p role="status">Importing…</p>}
      {error !== null && (
        <p role="alert" className="text-failed wrap-anywhere">
          {error.message}
        </p>
      )}
    </div>
  );
}

interface UrlFormProps {
  readonly isPending: boolean;
  readonly onUrl: (url: string) => void;
}

function UrlForm({ isPending, onUrl }: UrlFormProps) {
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    onUrl(String(new FormData(event.currentTarget).get("url") ?? "").trim());
  };
  return (
    <form className="card space-y-2 p-4" onSubmit={submit}>
      <label className="block">
        <span className="mb-1 block font-semibold">URL, or TRS address</span>
        <input
          name="url"
          className="input code"
          placeholder="trs://dockstore.org/ID/VERSION"
          required
          maxLength={2048}
          aria-describedby="url-hint"
        />
      </label>
      <p id="url-hint" className="text-soft">
        The server asks only hosts that its administrator allows (<code>--allow-http</code>).
      </p>
      <button type="submit" className="btn" disabled={isPending}>
        Import from URL
      </button>
    </form>
  );
}

async function sendFiles(files: readonly ChosenFile[], collisions: Collisions): Promise<DraftGroup> {
  if (files.length === 0) throw new Error("Your selection contains no files.");
  return importFiles(await packFiles(files), { title: titleOf(files), collisions });
}

function useImport<Source>(act: (source: Source) => Promise<DraftGroup>) {
  const navigate = useNavigate();
  return useMutation({
    mutationFn: act,
    onSuccess: ({ group_id: id }) => void navigate(`/draft-groups/${id}`),
  });
}

interface DropZoneProps {
  readonly isPending: boolean;
  readonly onFiles: (files: readonly ChosenFile[]) => void;
}

function DropZone({ isPending, onFiles }: DropZoneProps) {
  const [isOver, setIsOver] = useState(false);
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    setIsOver(false);
    void droppedFiles(event.dataTransfer.items).then(onFiles);
  };
  return (
    <div
      className={`card space-y-3 border-2 border-dashed p-6 text-center ${isOver ? "border-accent bg-sunken" : ""}`}
      onDragOver={(event) => {
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={drop}
    >
      <p>Drop CWL files, a folder or a zip here.</p>
      <div className="flex flex-wrap justify-center gap-2">
        <Chooser label="Choose files or a zip" isPending={isPending} onFiles={onFiles} />
        <Chooser label="Choose a folder" isFolder isPending={isPending} onFiles={onFiles} />
      </div>
      <p className="text-soft">At most 5,000 files with 64 MiB in total.</p>
    </div>
  );
}

interface ChooserProps extends DropZoneProps {
  readonly label: string;
  readonly isFolder?: boolean;
}

function Chooser({ label, isFolder = false, isPending, onFiles }: ChooserProps) {
  return (
    <label className="btn relative cursor-pointer focus-within:outline-2">
      {label}
      <input
        type="file"
        className="absolute inset-0 cursor-pointer opacity-0"
        disabled={isPending}
        {...(isFolder ? { webkitdirectory: "" } : { multiple: true })}
        onChange={(event) => {
          if (event.target.files !== null) onFiles(chosenFiles(event.target.files));
          event.target.value = "";
        }}
      />
    </label>
  );
}

interface CollisionChoiceProps {
  readonly value: Collisions;
  readonly onChange: (value: Collisions) => void;
}

const CHOICES = [
  ["new-version", "becomes a new version of it"],
  ["new-id", "gets a new ID"],
] as const;

function CollisionChoice({ value, onChange }: CollisionChoiceProps) {
  return (
    <fieldset className="space-y-1">
      <legend className="mb-1 font-semibold">What has the name of a tool or network in the catalog</legend>
      {CHOICES.map(([choice, label]) => (
        <label key={choice} className="flex items-center gap-2">
          <input type="radio" name="collisions" checked={value === choice} onChange={() => onChange(choice)} />
          {label}
        </label>
      ))}
    </fieldset>
  );
}
