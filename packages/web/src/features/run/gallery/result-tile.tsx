import { useQuery } from "@tanstack/react-query";
import type { ResultCell } from "@weft/shared/records/result-record.ts";
import { numberText } from "@weft/shared/text/count-text.ts";
import { parseDelimited } from "@weft/shared/text/parse-delimited.ts";
import { useLayoutEffect, useRef, useState, type ReactNode } from "react";
import { textHeadQuery } from "../../../api/queries/file-queries.ts";
import { contentUrl } from "../../../components/file-link.tsx";
import { pictureQuery } from "../../../components/preview/nifti/picture-query.ts";
import type { Slice } from "../../../components/preview/nifti/volume.ts";
import { thumbKind } from "../../../components/preview/preview-kind.ts";
import { formatBytes } from "../../../format/format-bytes.ts";
import { STATE_LOOKS } from "../../../format/state-look.ts";
import { fileName, type FileValue } from "../../../format/value-text.ts";
import { Icon } from "../../../ui/icon.tsx";
import { StateIcon, TONES } from "../../../ui/state-badge.tsx";
import { contentOf, contentText, sparkPoints } from "./cell-content.ts";

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

const HEAD_BYTES = 2048;
const LINES = 7;
const TABLE = { rows: 5, columns: 4 };

interface ThumbnailProps {
  readonly url: string | undefined;
  readonly name: string;
  readonly sizeBytes: number | undefined;
  /** True while the user scrolls fast, so that nothing is loaded. */
  readonly isScrolling: boolean;
}

/** The thumbnail of a file, hidden from assistive technology because the name is below it. */
export function Thumbnail({ url, name, sizeBytes, isScrolling }: ThumbnailProps) {
  const kind = url === undefined ? "none" : thumbKind(name, sizeBytes);
  if (url === undefined) return <FileSign name={name} />;
  switch (kind) {
    case "image":
      return isScrolling ? <Blank /> : <Picture url={url} name={name} />;
    case "pdf":
      return isScrolling ? <Blank /> : <FirstPage url={url} name={name} />;
    case "nifti":
      return <Planes url={url} name={name} isScrolling={isScrolling} />;
    case "csv":
    case "tsv":
    case "json":
    case "text":
      return <TextHead url={url} kind={kind} name={name} isScrolling={isScrolling} />;
    default:
      return <FileSign name={name} />;
  }
}

/** An img element never runs scripts, even in an SVG. */
function Picture({ url, name }: { readonly url: string; readonly name: string }) {
  const [isBroken, setBroken] = useState(false);
  if (isBroken) return <FileSign name={name} />;
  return (
    <span className="flex size-full items-center justify-center">
      <img
        src={url}
        alt=""
        decoding="async"
        // White only behind the picture, which may be transparent.
        className="max-h-full max-w-full bg-white"
        onError={() => setBroken(true)}
      />
    </span>
  );
}

/** Other viewers show their own controls, which leave no space for the page. */
function hasPlainViewer(): boolean {
  return navigator.pdfViewerEnabled && "userAgentData" in navigator;
}

/** The first page of a PDF by the viewer of Chromium, without its controls; other browsers show an icon. */
function FirstPage({ url, name }: { readonly url: string; readonly name: string }) {
  if (!hasPlainViewer()) return <FileSign name={name} />;
  return (
    <span inert aria-hidden="true" className="pointer-events-none block size-full overflow-hidden bg-white">
      {/* eslint-disable-next-line react/iframe-missing-sandbox -- browsers start no viewer in a sandbox */}
      <iframe src={`${url}#toolbar=0&navpanes=0&scrollbar=0&view=Fit`} title={name} className="size-full" />
    </span>
  );
}

type Read = Pick<ThumbnailProps, "name" | "isScrolling"> & { readonly url: string };

function Planes({ url, name, isScrolling }: Read) {
  const { data, isError } = useQuery({ ...pictureQuery(url), enabled: !isScrolling });
  if (data === null || isError) return <FileSign name={name} />;
  return data === undefined ? <Blank /> : <PlanesCanvas picture={data} />;
}

function PlanesCanvas({ picture: { width, height, pixels } }: { readonly picture: Slice }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useLayoutEffect(() => {
    canvas.current?.getContext("2d")?.putImageData(new ImageData(pixels, width, height), 0, 0);
  }, [width, height, pixels]);
  return (
    <canvas
      ref={canvas}
      width={width}
      height={height}
      aria-hidden="true"
      className="size-full bg-black object-contain"
    />
  );
}

function TextHead({ url, kind, name, isScrolling }: Read & { readonly kind: "csv" | "tsv" | "json" | "text" }) {
  const { data, isError } = useQuery({ ...textHeadQuery(url, HEAD_BYTES), enabled: !isScrolling });
  if (isError) return <FileSign name={name} />;
  if (data === undefined) return <Blank />;
  return kind === "csv" || kind === "tsv" ? (
    <SmallTable text={data.text} separator={kind === "csv" ? "," : "\t"} />
  ) : (
    <SmallText text={data.text} />
  );
}

function SmallTable({ text, separator }: { readonly text: string; readonly separator: "," | "\t" }) {
  const rows = parseDelimited(text, separator, TABLE.rows);
  return (
    <span aria-hidden="true" className="grid size-full content-start overflow-hidden bg-surface text-tiny leading-4">
      {rows.map((row, number) => (
        <span
          key={number}
          className={`grid border-b border-line ${number === 0 ? "font-semibold text-soft" : ""}`}
          style={{ gridTemplateColumns: `repeat(${Math.min(TABLE.columns, row.length)}, minmax(0, 1fr))` }}
        >
          {row.slice(0, TABLE.columns).map((cell, place) => (
            <span key={place} className="truncate px-1">
              {cell}
            </span>
          ))}
        </span>
      ))}
    </span>
  );
}

/** The first lines of a text. */
function SmallText({ text, isValue = false }: { readonly text: string; readonly isValue?: boolean }) {
  return (
    <span
      aria-hidden={!isValue}
      className="block size-full overflow-hidden bg-surface px-1.5 py-1 font-mono text-tiny leading-[1.35] whitespace-pre"
    >
      {text.split("\n", LINES).join("\n")}
    </span>
  );
}

function Sparkline({ numbers }: { readonly numbers: readonly number[] }) {
  const points = sparkPoints(numbers);
  const step = 100 / Math.max(1, points.length - 1);
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 100 40"
      preserveAspectRatio="none"
      className="size-full bg-surface p-2 text-accent"
    >
      <polyline
        points={points
          .map((height, place) => `${(place * step).toFixed(2)},${(38 - height * 36).toFixed(2)}`)
          .join(" ")}
        fill="none"
        stroke="currentColor"
        strokeWidth="1.5"
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  );
}

/** The extension of a file name. */
function FileSign({ name }: { readonly name: string }) {
  const end = /\.([a-z0-9]{1,6}(?:\.gz)?)$/i.exec(name)?.[1];
  return (
    <span aria-hidden="true" className="flex size-full flex-col items-center justify-center gap-1 text-soft">
      <Icon name={name.endsWith("/") ? "folder" : "file"} className="size-6" />
      {end !== undefined && <span className="text-tiny font-semibold">{end.toLowerCase()}</span>}
    </span>
  );
}

function Blank() {
  return <span aria-hidden="true" className="block size-full bg-sunken" />;
}
