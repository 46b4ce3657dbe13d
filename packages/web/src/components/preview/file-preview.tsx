import { parseExactJson } from "@weft/shared/json/exact-json.ts";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { textHeadQuery } from "../../api/file-queries.ts";
import { CodeBlock } from "../../ui/code-block.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { DelimitedTable } from "./delimited-table.tsx";
import { JsonTree } from "./json-tree.tsx";
import { previewKind } from "./preview-kind.ts";
import { isTooLarge } from "./thumb-kind.ts";
import { onDemand } from "../../ui/on-demand.tsx";

const NiftiPreview = onDemand(() => import("./nifti/nifti-preview.tsx"), <Skeleton rows={8} />);

const MAX_TEXT_BYTES = 256 * 1024;

export interface FilePreviewProps {
  readonly url: string;
  readonly name: string;
  /** Absent if the output object does not include it. */
  readonly sizeBytes?: number | undefined;
  /** Files that belong to this one, such as images to view together with it. */
  readonly companions?: readonly Companion[];
}

export interface Companion {
  readonly url: string;
  readonly name: string;
  /** The output that contains it. */
  readonly label: string;
  readonly sizeBytes: number | undefined;
}

/** For a file on its own. */
export const NONE: readonly Companion[] = [];

/** A file inside the page. HTML pages are sandboxed, because tools create them with any content. */
export function FilePreview({ url, name, sizeBytes, companions = NONE }: FilePreviewProps) {
  if (sizeBytes === 0) return <p className="text-soft">The file is empty.</p>;
  if (isTooLarge(name, sizeBytes))
    return <p className="text-soft">The file is too large to show here. Open or download it.</p>;
  const kind = previewKind(name);
  switch (kind) {
    case "image":
      return (
        <img
          src={url}
          alt={name}
          loading="lazy"
          className="max-h-[32rem] max-w-full rounded-lg border border-line bg-white"
        />
      );
    case "page":
      return (
        <iframe src={url} title={name} sandbox="" className="h-[36rem] w-full rounded-lg border border-line bg-white" />
      );
    case "pdf":
      return <PdfPreview url={url} name={name} />;
    case "nifti":
      return <NiftiPreview url={url} name={name} companions={companions} />;
    case "csv":
    case "tsv":
    case "json":
    case "text":
      return <TextPreview url={url} name={name} kind={kind} />;
    case "none":
      return null;
  }
}

/**
 * The browser's own viewer. The server's policy closes the frame; with the attribute `sandbox`, browsers would not start their
 * viewer.
 */
function PdfPreview({ url, name }: Pick<FilePreviewProps, "url" | "name">) {
  if (!navigator.pdfViewerEnabled)
    return <p className="text-soft">This browser does not show PDFs in pages. Open or download it.</p>;
  // eslint-disable-next-line react/iframe-missing-sandbox -- see above
  return <iframe src={url} title={name} className="h-[36rem] w-full rounded-lg border border-line bg-white" />;
}

interface TextPreviewProps extends FilePreviewProps {
  readonly kind: "text" | "json" | "csv" | "tsv";
}

function TextPreview({ url, name, kind }: TextPreviewProps) {
  const head = useQuery(textHeadQuery(url, MAX_TEXT_BYTES));
  return (
    <QueryView query={head} rows={3}>
      {(data) => (
        <>
          <TextBody name={name} kind={kind} text={data.text} />
          {data.truncated && <p className="mt-1 text-soft">Only the first {MAX_TEXT_BYTES / 1024} KiB are shown.</p>}
        </>
      )}
    </QueryView>
  );
}

function TextBody({ name, kind, text }: Omit<TextPreviewProps, "url"> & { readonly text: string }) {
  const json = useMemo(() => (kind === "json" ? parseJson(text) : undefined), [kind, text]);
  if (json !== undefined) return <JsonTree name={name} value={json.value} />;
  if (kind === "csv" || kind === "tsv")
    return <DelimitedTable name={name} text={text} separator={kind === "csv" ? "," : "\t"} />;
  return <CodeBlock label={name} text={text} />;
}

/** Undefined for invalid JSON, such as the head of a large file. */
function parseJson(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: parseExactJson(text) };
  } catch {
    return undefined;
  }
}
