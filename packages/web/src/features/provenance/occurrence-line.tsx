import type { FileOccurrence } from "@weft/shared/records/lineage-record.ts";
import { ownUrl } from "../../api/own-url.ts";
import { ChecksumLink } from "../../components/checksum-link.tsx";
import { formatBytes } from "../../format/format-bytes.ts";

/** A file as it was read or written: port, name, size and checksum. */
export function OccurrenceLine({ file }: { readonly file: FileOccurrence }) {
  return (
    <span className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-3">
      <span className="text-soft">{file.port}</span>
      {file.url === null ? (
        <span className="font-medium wrap-anywhere">{file.name}</span>
      ) : (
        <a className="link font-medium wrap-anywhere" href={ownUrl(file.url)}>
          {file.name}
        </a>
      )}
      {file.size !== null && <span className="text-soft tabular-nums">{formatBytes(file.size)}</span>}
      {file.checksum !== null && <ChecksumLink checksum={file.checksum} />}
    </span>
  );
}
