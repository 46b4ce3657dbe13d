import type { UploadedFile } from "@weft/shared/records/process-record.ts";
import { useRef, useState } from "react";
import { type Sending, sendFile } from "../../../api/send-file.ts";
import type { FileValue } from "../../../format/value-text.ts";
import { IconButton } from "../../../ui/button.tsx";

/** Uploads in progress. */
export function UploadList({ uploads }: { readonly uploads: Uploads }) {
  if (uploads.active.length === 0) return null;
  return (
    <ul className="mt-2 max-h-44 space-y-1 overflow-y-auto">
      {uploads.active.map((upload) => (
        <li key={upload.id} className="flex items-center gap-3 rounded-lg border border-line px-3 py-1.5">
          <span className="min-w-0 flex-1 truncate">{upload.name}</span>
          {upload.error === undefined ? (
            <progress
              aria-label={`Uploading ${upload.name}`}
              className="h-1.5 w-32 accent-accent"
              value={upload.fraction}
            />
          ) : (
            <span role="alert" className="text-failed">
              {upload.error}
            </span>
          )}
          <IconButton
            label={`Cancel ${upload.name}`}
            icon="close"
            look="quiet"
            small
            iconClass="size-3.5"
            onClick={() => uploads.cancel(upload.id)}
          />
        </li>
      ))}
    </ul>
  );
}

interface UploadState {
  readonly id: number;
  readonly name: string;
  readonly fraction: number;
  readonly error: string | undefined;
}

type OnUploaded = (file: FileValue, place: number) => void;

export interface Uploads {
  readonly active: readonly UploadState[];
  /** Calls `onUploaded` once for each uploaded file, with its index. */
  readonly start: (files: readonly File[], onUploaded: OnUploaded) => void;
  readonly cancel: (id: number) => void;
}

/** Uploads files in parallel; delivers them as CWL Files in the order of selection. */
export function useUploads(): Uploads {
  const [active, setActive] = useState<readonly UploadState[]>([]);
  const running = useRef(new Map<number, Sending<UploadedFile>>());
  const nextId = useRef(1);
  const last = useRef(Promise.resolve());
  const change = (id: number, part: Partial<UploadState>): void =>
    setActive((old) => old.map((entry) => (entry.id === id ? { ...entry, ...part } : entry)));
  const remove = (id: number): void => setActive((old) => old.filter((entry) => entry.id !== id));
  const startOne = async (file: File, before: Promise<void>, onUploaded: (file: FileValue) => void): Promise<void> => {
    const id = nextId.current;
    nextId.current += 1;
    setActive((old) => [...old, { id, name: file.name, fraction: 0, error: undefined }]);
    const path = `/api/files?name=${encodeURIComponent(file.name)}`;
    const sent = { path, file, mediaType: "application/octet-stream" };
    const upload = sendFile<UploadedFile>(sent, (fraction) => change(id, { fraction }));
    running.current.set(id, upload);
    try {
      const stored = await upload.done;
      await before;
      remove(id);
      onUploaded({ class: "File", location: stored.location, basename: stored.name });
    } catch (error) {
      change(id, { error: error instanceof Error ? error.message : String(error) });
    }
  };
  const cancel = (id: number): void => {
    running.current.get(id)?.cancel();
    running.current.delete(id);
    remove(id);
  };
  const start = (files: readonly File[], onUploaded: OnUploaded): void =>
    files.forEach((file, place) => {
      last.current = startOne(file, last.current, (value) => onUploaded(value, place));
    });
  return { active, start, cancel };
}
