import { Icon } from "../../../ui/icon.tsx";
import type { Uploads } from "./use-uploads.ts";

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
          <button
            type="button"
            className="btn btn-quiet btn-small"
            aria-label={`Cancel ${upload.name}`}
            onClick={() => uploads.cancel(upload.id)}
          >
            <Icon name="close" className="size-3.5" />
          </button>
        </li>
      ))}
    </ul>
  );
}
