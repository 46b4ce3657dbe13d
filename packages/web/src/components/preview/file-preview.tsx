import { useQuery } from "@tanstack/react-query";
import { parseExactJson } from "@weft/shared/json/exact-json.ts";
import { parseDelimited } from "@weft/shared/text/parse-delimited.ts";
import { useMemo, useState } from "react";
import { textHeadQuery } from "../../api/queries/file-queries.ts";
import { isObject } from "../../format/value-text.ts";
import { Button } from "../../ui/button.tsx";
import { CodeBlock } from "../../ui/code-block.tsx";
import { onDemand } from "../../ui/on-demand.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { isTooLarge, previewKind } from "./preview-kind.ts";

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

/** The companions of a file that is shown alone. */
export const NONE: readonly Companion[] = [];

const MAX_ROWS = 200;

/** Maximum number of drawn entries of one list or object; a file may have very many. */
const SHOWN = 100;

/** The depth to which a JSON tree is initially expanded. */
const OPEN_DEPTH = 2;

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
    return <p className="text-soft">This browser cannot show PDFs in a page. Open or download it.</p>;
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

/** Parses JSON; undefined if it is invalid, such as the head of a large file. */
function parseJson(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: parseExactJson(text) };
  } catch {
    return undefined;
  }
}

interface DelimitedTableProps {
  readonly name: string;
  readonly text: string;
  readonly separator: "," | "\t";
}

/** The first rows of a CSV or TSV file; its first line names the columns. */
function DelimitedTable({ name, text, separator }: DelimitedTableProps) {
  // One more than shown, to detect that there are more.
  const [head = [], ...rows] = parseDelimited(text, separator, MAX_ROWS + 2);
  const alignment = head.map((_, place) => (rows.every((row) => isNumber(row[place] ?? "")) ? "number" : ""));
  return (
    <>
      <div tabIndex={0} role="region" aria-label={name} className="card max-h-96 overflow-auto">
        <table className="table w-auto!">
          <thead className="sticky top-0">
            <tr>
              {head.map((cell, place) => (
                <th key={place} scope="col" className={alignment[place] ?? ""}>
                  {cell}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, MAX_ROWS).map((row, number) => (
              <tr key={number}>
                {row.map((cell, place) => (
                  <td key={place} className={`whitespace-nowrap ${alignment[place] ?? ""}`}>
                    {cell}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {rows.length > MAX_ROWS && <p className="mt-1 text-soft">The first {MAX_ROWS} rows are shown.</p>}
    </>
  );
}

/** Numeric columns are right-aligned; cells may be empty. */
function isNumber(cell: string): boolean {
  return /^\s*[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?\s*$|^\s*$/i.test(cell);
}

interface JsonTreeProps {
  readonly name: string;
  readonly value: unknown;
}

/** A JSON value as a tree or as text. */
function JsonTree({ name, value }: JsonTreeProps) {
  const [asText, setAsText] = useState(false);
  return (
    <>
      {asText ? (
        <CodeBlock label={name} text={JSON.stringify(value, null, 2)} />
      ) : (
        <div tabIndex={0} role="region" aria-label={name} className="card code max-h-96 overflow-auto px-3 py-2">
          <JsonNode label="" value={value} depth={0} />
        </div>
      )}
      <Button look="quiet" small className="mt-1" onClick={() => setAsText(!asText)}>
        {asText ? "Show as tree" : "Show as text"}
      </Button>
    </>
  );
}

interface JsonNodeProps {
  readonly label: string;
  readonly value: unknown;
  readonly depth: number;
}

function JsonNode({ label, value, depth }: JsonNodeProps) {
  const [isOpen, setIsOpen] = useState(depth < OPEN_DEPTH);
  const name = label === "" ? "" : `${label}: `;
  if (typeof value !== "object" || value === null)
    return (
      <p className="wrap-anywhere">
        <span className="text-soft">{name}</span>
        {JSON.stringify(value)}
      </p>
    );
  const entries = Object.entries(value);
  const size = isObject(value) ? `{${entries.length}}` : `[${entries.length}]`;
  return (
    <details open={isOpen} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary className="w-fit cursor-pointer">
        <span className="text-soft">{name}</span>
        {size}
      </summary>
      {isOpen && (
        <ul className="border-l border-line pl-3">
          {entries.slice(0, SHOWN).map(([key, part]) => (
            <li key={key}>
              <JsonNode label={key} value={part} depth={depth + 1} />
            </li>
          ))}
          {entries.length > SHOWN && <li className="text-soft">… {entries.length - SHOWN} more</li>}
        </ul>
      )}
    </details>
  );
}
