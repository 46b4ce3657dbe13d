import { useMutation } from "@tanstack/react-query";
import type { DraftGroup } from "@weft/shared/records/draft-group-record.ts";
import { makeZip } from "client-zip";
import { useState } from "react";
import { useNavigate } from "react-router-dom";
import { api } from "../api/client.ts";
import { type Collisions, importFiles } from "../api/queries/draft-queries.ts";
import { AuthorGate } from "../components/role-gate.tsx";
import { Button } from "../ui/button.tsx";
import { Field, Input, RadioField } from "../ui/field.tsx";
import { FilePicker } from "../ui/file-picker.tsx";
import { PlainForm, Refusal } from "../ui/form.tsx";
import { useDrop } from "../ui/use-drop.ts";
import { PageHeading } from "../ui/page-heading.tsx";

const CHOICES = [
  { id: "new-version", label: "becomes a new version of it" },
  { id: "new-id", label: "gets a new ID" },
] as const;

/** `/import` */
export default function ImportRoute() {
  return (
    <>
      <PageHeading
        title="Import tools and networks"
        documentTitle="Import"
        crumbs={[{ label: "Networks", to: "/networks" }]}
      />
      <AuthorGate>
        <ImportForm />
      </AuthorGate>
    </>
  );
}

/** Makes drafts of CWL files, folders and zips, of a document on the web, or of a tool in a registry. */
function ImportForm() {
  const [collisions, setCollisions] = useState<Collisions>("new-version");
  const fromFiles = useImport((files: readonly ChosenFile[]) => sendFiles(files, collisions));
  const fromUrl = useImport((url: string) => api("POST /api/draft-imports/url", { body: { url, collisions } }));
  const error = fromFiles.error ?? fromUrl.error;
  const isPending = fromFiles.isPending || fromUrl.isPending;
  return (
    <div className="max-w-180 space-y-5">
      <DropZone isPending={isPending} onFiles={fromFiles.mutate} />
      <UrlForm isPending={isPending} onUrl={fromUrl.mutate} />
      <RadioField
        legend="A document with the name of a tool or network in the catalog"
        options={CHOICES}
        chosen={collisions}
        onChoose={setCollisions}
      />
      {isPending && <p role="status">Importing…</p>}
      <Refusal of={error} />
    </div>
  );
}

interface UrlFormProps {
  readonly isPending: boolean;
  readonly onUrl: (url: string) => void;
}

function UrlForm({ isPending, onUrl }: UrlFormProps) {
  return (
    <PlainForm className="card space-y-2 p-4" onSubmit={(form) => onUrl(String(form.get("url") ?? "").trim())}>
      <Field label="URL, or TRS address">
        <Input
          className="code"
          name="url"
          placeholder="trs://dockstore.org/ID/VERSION"
          required
          maxLength={2048}
          aria-describedby="url-hint"
        />
      </Field>
      <p id="url-hint" className="text-soft">
        The server downloads only from hosts that its administrator allows (<code>--allow-http</code>).
      </p>
      <Button type="submit" disabled={isPending}>
        Import from URL
      </Button>
    </PlainForm>
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
  const { isOver, handlers } = useDrop(({ items }) => void droppedFiles(items).then(onFiles));
  const choose = (files: readonly File[]): void => onFiles(chosenFiles(files));
  return (
    <div
      className={`card space-y-3 border-2 border-dashed p-6 text-center ${isOver ? "border-accent bg-sunken" : ""}`}
      {...handlers}
    >
      <p>Drop CWL files, a folder or a zip here.</p>
      <div className="flex flex-wrap justify-center gap-2">
        <FilePicker text="Choose files or a zip" icon="file" multiple disabled={isPending} onFiles={choose} />
        <FilePicker text="Choose a folder" icon="folder" isFolder disabled={isPending} onFiles={choose} />
      </div>
      <p className="text-soft">At most 5,000 files, 64 MiB in total.</p>
    </div>
  );
}

/** A file with its path in the folder that it was chosen with. */
interface ChosenFile {
  readonly path: string;
  readonly file: File;
}

/** Files with their folders, if one was chosen. */
function chosenFiles(files: readonly File[]): readonly ChosenFile[] {
  return files.map((file) => ({ path: file.webkitRelativePath || file.name, file }));
}

/** The dropped files, with the contents of folders. */
async function droppedFiles(items: DataTransferItemList): Promise<ChosenFile[]> {
  // The list is empty as soon as the event has ended.
  const entries = [...items].flatMap((item) => item.webkitGetAsEntry() ?? []);
  const found: ChosenFile[] = [];
  for (const entry of entries) await collect(entry, found);
  return found;
}

async function collect(entry: FileSystemEntry, found: ChosenFile[]): Promise<void> {
  if (isFile(entry)) {
    const file = await new Promise<File>((resolve, reject) => entry.file(resolve, reject));
    found.push({ path: entry.fullPath.replace(/^\//, ""), file });
  } else if (isFolder(entry)) {
    const reader = entry.createReader();
    for (;;) {
      // A reader returns at most a hundred entries at once.
      const part = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
      if (part.length === 0) return;
      for (const inner of part) await collect(inner, found);
    }
  }
}

function isFile(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile;
}

function isFolder(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory;
}

/** The chosen files as one zip: the chosen file if it is a zip, otherwise a new one. */
async function packFiles(files: readonly ChosenFile[]): Promise<Blob> {
  const [first] = files;
  if (files.length === 1 && first !== undefined && /\.zip$/i.test(first.path)) return first.file;
  const entries = files.map(({ path, file }) => ({ name: path, input: file, lastModified: file.lastModified }));
  return new Response(makeZip(entries)).blob();
}

/** A short name for the chosen files. */
function titleOf(files: readonly ChosenFile[]): string {
  const [first] = files;
  const folder = first?.path.includes("/") === true ? first.path.split("/")[0] : undefined;
  if (folder !== undefined && files.every(({ path }) => path.startsWith(`${folder}/`))) return folder;
  return files.length === 1 ? (first?.path ?? "") : `${files.length} files`;
}
