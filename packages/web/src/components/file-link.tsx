import { Link } from "react-router-dom";
import { ownUrl } from "../api/base-path.ts";
import { formatBytes } from "../format/format-bytes.ts";
import { links } from "../format/links.ts";
import { type FileValue, fileName } from "../format/value-text.ts";
import { Icon } from "../ui/icon.tsx";

/** The name of a file, linked to its content if this server has it. */
export function FileLink({ file }: { readonly file: FileValue }) {
  const url = contentUrl(file);
  const size =
    file.size === undefined ? null : <span className="text-soft tabular-nums">{formatBytes(file.size)}</span>;
  return (
    <span className="inline-flex max-w-full items-center gap-1.5" title={file.location ?? file.path}>
      <Icon name={file.class === "File" ? "file" : "folder"} className="size-3.5 text-soft" />
      {url === undefined ? (
        <span className="truncate">{fileName(file)}</span>
      ) : (
        <a className="link truncate" href={url}>
          {fileName(file)}
        </a>
      )}
      {size}
    </span>
  );
}

/** The URL at which this server serves the content of a file; undefined for folders and for files on other servers. */
export function contentUrl(file: FileValue): string | undefined {
  if (file.class !== "File" || file.location === undefined) return undefined;
  const url = ownUrl(file.location);
  return url.startsWith("/") ? url : undefined;
}

/** A checksum that links to every place where this content was read or written. */
export function ChecksumLink({ checksum }: { readonly checksum: string }) {
  return (
    <Link
      className="code truncate text-soft hover:text-ink hover:underline"
      title="Find every use of this content"
      to={links.files({ checksum })}
    >
      {checksum}
    </Link>
  );
}
