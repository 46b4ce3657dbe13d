import { useQuery } from "@tanstack/react-query";
import { parseDelimited } from "@weft/shared/text/parse-delimited.ts";
import { useLayoutEffect, useRef, useState } from "react";
import { textHeadQuery } from "../../../api/queries/file-queries.ts";
import { pictureQuery } from "../../../components/preview/nifti/picture-query.ts";
import type { Slice } from "../../../components/preview/nifti/volume.ts";
import { thumbKind } from "../../../components/preview/preview-kind.ts";
import { Icon } from "../../../ui/icon.tsx";
import { sparkPoints } from "./cell-content.ts";

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
export function SmallText({ text, isValue = false }: { readonly text: string; readonly isValue?: boolean }) {
  return (
    <span
      aria-hidden={!isValue}
      className="block size-full overflow-hidden bg-surface px-1.5 py-1 font-mono text-tiny leading-[1.35] whitespace-pre"
    >
      {text.split("\n", LINES).join("\n")}
    </span>
  );
}

export function Sparkline({ numbers }: { readonly numbers: readonly number[] }) {
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
export function FileSign({ name }: { readonly name: string }) {
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
