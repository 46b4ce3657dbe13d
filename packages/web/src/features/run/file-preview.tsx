import { useQuery } from "@tanstack/react-query";
import { textHeadQuery } from "../../api/file-queries.ts";
import { parseDelimited } from "../../format/parse-delimited.ts";
import { CodeBlock } from "../../ui/code-block.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { previewKind } from "./preview-kind.ts";

const MAX_TEXT_BYTES = 256 * 1024;
const MAX_ROWS = 200;

export interface FilePreviewProps {
  readonly url: string;
  readonly name: string;
}

/** A file inside the page. Pages and PDF stand in a sandbox: they come from tools and may hold anything. */
export function FilePreview({ url, name }: FilePreviewProps) {
  switch (previewKind(name)) {
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
        <>
          <iframe
            src={url}
            title={name}
            sandbox=""
            className="h-[36rem] w-full rounded-lg border border-line bg-white"
          />
          {name.toLowerCase().endsWith(".pdf") && (
            <p className="mt-1 text-soft">Some browsers show no PDF in a closed frame; download it then.</p>
          )}
        </>
      );
    case "csv":
      return <TextPreview url={url} name={name} separator="," />;
    case "tsv":
      return <TextPreview url={url} name={name} separator={"\t"} />;
    case "json":
    case "text":
      return <TextPreview url={url} name={name} />;
    case "none":
      return null;
  }
}

function TextPreview({ url, name, separator }: FilePreviewProps & { readonly separator?: "," | "\t" }) {
  const head = useQuery(textHeadQuery(url, MAX_TEXT_BYTES));
  return (
    <QueryView query={head} rows={3}>
      {(data) => (
        <>
          {separator === undefined ? (
            <CodeBlock label={name} text={name.endsWith(".json") ? prettyJson(data.text) : data.text} />
          ) : (
            <DelimitedTable name={name} text={data.text} separator={separator} />
          )}
          {data.truncated && <p className="mt-1 text-soft">Only the first {MAX_TEXT_BYTES / 1024} KiB are shown.</p>}
        </>
      )}
    </QueryView>
  );
}

function DelimitedTable({
  name,
  text,
  separator,
}: {
  readonly name: string;
  readonly text: string;
  readonly separator: "," | "\t";
}) {
  const [head = [], ...rows] = parseDelimited(text, separator, MAX_ROWS + 1);
  return (
    <div tabIndex={0} role="region" aria-label={name} className="card max-h-96 overflow-auto">
      <table className="table">
        <thead>
          <tr>
            {head.map((cell, place) => (
              <th key={place} scope="col">
                {cell}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, number) => (
            <tr key={number}>
              {row.map((cell, place) => (
                <td key={place} className="whitespace-nowrap">
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Indented where it is JSON, else as it stands: the head of a large file ends in the middle. */
function prettyJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
