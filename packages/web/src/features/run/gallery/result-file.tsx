import { useState } from "react";
import { withQuery } from "../../../api/base-path.ts";
import { ChecksumLink, contentUrl } from "../../../components/file-link.tsx";
import { type Companion, FilePreview, type FilePreviewProps, NONE } from "../../../components/preview/file-preview.tsx";
import { previewKind } from "../../../components/preview/preview-kind.ts";
import { LongList } from "../../../components/value-view.tsx";
import { formatBytes } from "../../../format/format-bytes.ts";
import { type FileValue, fileName } from "../../../format/value-text.ts";
import { Code } from "../../../ui/code-block.tsx";
import { CopyButton } from "../../../ui/copy-button.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { type Fact, Facts } from "../../../ui/titled-section.tsx";
import { TextLink } from "../../../ui/text-link.tsx";

interface ResultFileProps {
  readonly file: FileValue;
  /** A deleted file still shows its name, size and checksum. */
  readonly isThere: boolean;
  /** Link to the provenance of the file. */
  readonly origin: string;
  /** True if the preview is initially open. */
  readonly isOpen?: boolean;
  /** Other files of the same result, to show over or next to an image. */
  readonly companions?: readonly Companion[];
}

/** A file or folder of a result: preview, actions and details. */
export function ResultFile({ file, isThere, origin, isOpen = false, companions = NONE }: ResultFileProps) {
  const url = isThere ? contentUrl(file) : undefined;
  const name = fileName(file);
  const inner = file.class === "Directory" ? (file.listing ?? []) : (file.secondaryFiles ?? []);
  const preview = { url: url ?? "", name, sizeBytes: file.size, companions };
  const hasPreview = url !== undefined && previewKind(name) !== "none";
  return (
    <div className="space-y-2">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="flex min-w-0 items-center gap-2 font-medium wrap-anywhere">
          <Icon name={file.class === "File" ? "file" : "folder"} className="size-4 text-soft" />
          {name}
        </span>
        {file.size !== undefined && <span className="text-soft tabular-nums">{formatBytes(file.size)}</span>}
        {url !== undefined && <FileActions url={url} />}
      </div>
      {hasPreview && (isOpen ? <FilePreview {...preview} /> : <FoldedPreview {...preview} />)}
      {!hasPreview && isOpen && url !== undefined && <p className="text-soft">No preview for this file type.</p>}
      <FileDetails file={file} origin={origin} />
      {inner.length > 0 && (
        <div className="ml-2 border-l border-line pl-4">
          <LongList
            values={inner}
            renderItem={(part) => (
              // A File or Directory contains only Files and Directories.
              <ResultFile file={part as FileValue} isThere={isThere} origin={origin} />
            )}
          />
        </div>
      )}
    </div>
  );
}

function FileActions({ url }: { readonly url: string }) {
  return (
    <span className="ml-auto flex gap-2">
      <a className="btn btn-small" href={url}>
        <Icon name="external" className="size-3.5" /> Open
      </a>
      <a className="btn btn-small" href={withQuery(url, "download", "true")} download>
        <Icon name="download" className="size-3.5" /> Download
      </a>
    </span>
  );
}

/** Less common details: checksum, location, format and provenance. */
function FileDetails({ file, origin }: { readonly file: FileValue; readonly origin: string }) {
  const { checksum, location, format } = file;
  const facts: readonly (Fact | false)[] = [
    checksum !== undefined && ["Checksum", <Checksum key="checksum" checksum={checksum} />],
    format !== undefined && ["Format", format],
    location !== undefined && ["Location", <Code key="address">{location}</Code>],
    [
      "Origin",
      <TextLink key="origin" to={origin}>
        Provenance
      </TextLink>,
    ],
  ];
  return (
    <details>
      <summary className="w-fit cursor-pointer text-soft hover:text-ink max-md:py-2">Details</summary>
      <div className="mt-1">
        <Facts facts={facts} />
      </div>
    </details>
  );
}

function Checksum({ checksum }: { readonly checksum: string }) {
  return (
    <span className="flex min-w-0 flex-wrap items-center gap-1">
      <ChecksumLink checksum={checksum} />
      <CopyButton text={checksum} name="checksum" look="quiet" />
    </span>
  );
}

/** Loads the preview when it is first opened. */
function FoldedPreview(props: FilePreviewProps) {
  const [wasOpened, setWasOpened] = useState(false);
  return (
    <details onToggle={(event) => event.currentTarget.open && setWasOpened(true)}>
      <summary className="w-fit cursor-pointer font-medium text-accent max-md:py-2">Preview {props.name}</summary>
      <div className="mt-2">{wasOpened && <FilePreview {...props} />}</div>
    </details>
  );
}
