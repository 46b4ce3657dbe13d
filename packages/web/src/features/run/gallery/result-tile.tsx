import type { ResultCell } from "@weft/shared/records/result-record.ts";
import type { ReactNode } from "react";
import { contentUrl } from "../../../components/file-link.tsx";
import { formatBytes } from "../../../format/format-bytes.ts";
import { STATE_LOOKS } from "../../../format/state-look.ts";
import { fileName, type FileValue } from "../../../format/value-text.ts";
import { StateIcon, TONES } from "../../../ui/state-badge.tsx";
import { contentOf, contentText } from "./cell-content.ts";
import { FileSign, SmallText, Sparkline, Thumbnail } from "./thumbnail.tsx";
import { numberText } from "@weft/shared/text/count-text.ts";

interface ResultTileProps {
  /** The loaded value; undefined while loading. */
  readonly cell: ResultCell | undefined;
  /** Caption above the picture, if no header identifies it. */
  readonly title?: string | undefined;
  /** True if the files are still on the disk. */
  readonly isThere: boolean;
  readonly isScrolling: boolean;
}

/** One result as a thumbnail with its name. */
export function ResultTile({ cell, title, isThere, isScrolling }: ResultTileProps) {
  return (
    <span className="flex h-full flex-col overflow-hidden rounded-lg border border-line bg-surface hover:border-edge">
      {title !== undefined && <span className="truncate px-2 pt-1 text-small font-semibold">{title}</span>}
      <span className="block min-h-0 flex-1 overflow-hidden bg-sunken">
        {cell !== undefined && <TilePicture cell={cell} isThere={isThere} isScrolling={isScrolling} />}
      </span>
      {!isSaidByPicture(cell) && (
        <span className="flex items-baseline gap-2 px-2 py-0.5 text-small">
          <Caption cell={cell} />
        </span>
      )}
    </span>
  );
}

/** True if the thumbnail shows the whole value, as for a number or a string. */
function isSaidByPicture(cell: ResultCell | undefined): boolean {
  if (cell === undefined || cell.missing !== undefined) return false;
  return ["none", "number", "text"].includes(contentOf(cell.value).kind);
}

function TilePicture({
  cell,
  isThere,
  isScrolling,
}: Omit<ResultTileProps, "title"> & { readonly cell: ResultCell }): ReactNode {
  if (cell.missing !== undefined) return <MissingSign missing={cell.missing} />;
  const content = contentOf(cell.value);
  switch (content.kind) {
    case "none":
      return <span className="flex size-full items-center justify-center text-soft">none</span>;
    case "file":
      return <FileThumbnail file={content.file} isThere={isThere} isScrolling={isScrolling} />;
    case "files":
      return <FilesThumbnail files={content.files} />;
    case "number":
      return (
        <span className="flex size-full items-center justify-center bg-surface px-2 text-xl font-semibold tabular-nums">
          <span className="truncate" title={content.full}>
            {content.text}
          </span>
        </span>
      );
    case "numbers":
      return <Sparkline numbers={content.numbers} />;
    case "text":
      return <SmallText text={content.text} isValue />;
  }
}

type FileThumbnailProps = Pick<ResultTileProps, "isThere" | "isScrolling"> & { readonly file: FileValue };

export function FileThumbnail({ file, isThere, isScrolling }: FileThumbnailProps) {
  return (
    <Thumbnail
      url={isThere ? contentUrl(file) : undefined}
      name={fileName(file)}
      sizeBytes={file.size}
      isScrolling={isScrolling}
    />
  );
}

const NAMED = 5;

function FilesThumbnail({ files }: { readonly files: readonly FileValue[] }) {
  if (files.length === 0) return <FileSign name="/" />;
  return <SmallText text={files.slice(0, NAMED).map(fileName).join("\n")} />;
}

type Missing = NonNullable<ResultCell["missing"]>;

function MissingSign({ missing: { state } }: { readonly missing: Missing }) {
  const look = state === null ? undefined : STATE_LOOKS[state];
  return (
    <span
      className={`flex size-full items-center justify-center gap-1.5 text-small ${look === undefined ? "text-soft" : TONES[look.tone].text}`}
    >
      {state !== null && <StateIcon state={state} className="size-3.5" />}
      {look === undefined ? "not run" : look.word}
    </span>
  );
}

/** The name and size of a file, or the value as text. */
export function Caption({ cell }: { readonly cell: ResultCell | undefined }) {
  if (cell === undefined) return <span className="text-soft">…</span>;
  if (cell.missing !== undefined) return <span className="truncate text-soft">no value</span>;
  const content = contentOf(cell.value);
  const size = content.kind === "file" ? content.file.size : undefined;
  return (
    <>
      <span className="truncate">{contentText(cell.value)}</span>
      {size !== undefined && (
        <span className="ml-auto whitespace-nowrap text-soft tabular-nums">{formatBytes(size)}</span>
      )}
      {content.kind === "files" && content.files.length > 0 && contentText(cell.value).endsWith("/") && (
        <span className="ml-auto whitespace-nowrap text-soft">{numberText(content.files.length)} entries</span>
      )}
    </>
  );
}
