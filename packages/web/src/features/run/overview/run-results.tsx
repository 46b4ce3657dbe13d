import { useQueries, useQuery } from "@tanstack/react-query";
import type { RunResults as Results } from "@weft/shared/records/result-record.ts";
import type { Run } from "@weft/shared/records/run-record.ts";
import { countText, numberText } from "@weft/shared/text/count-text.ts";
import { parseDelimited } from "@weft/shared/text/parse-delimited.ts";
import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import { ownUrl } from "../../../api/base-path.ts";
import { textHeadQuery, type TextHead } from "../../../api/queries/file-queries.ts";
import { RESULT_PAGE, resultsQuery, rowOfResults } from "../../../api/queries/result-queries.ts";
import { FileLink, contentUrl } from "../../../components/file-link.tsx";
import { formatBytes } from "../../../format/format-bytes.ts";
import { links } from "../../../format/links.ts";
import { sampleTotal } from "../../../format/sample-total.ts";
import { cellText } from "../../../format/measure-text.ts";
import { STATE_LOOKS } from "../../../format/state-look.ts";
import { type FileValue, fileName, isFileValue } from "../../../format/value-text.ts";
import { ErrorCard } from "../../../ui/error-card.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";
import { TitledSection } from "../../../ui/titled-section.tsx";
import { TextLink } from "../../../ui/text-link.tsx";
import { contentText } from "../gallery/cell-content.ts";
import {
  MAX_OUTPUTS,
  firstRows,
  summarizeOutputs,
  placeText,
  type OutputSummary,
  type ResultPlace,
} from "../gallery/result-places.ts";
import { FileThumbnail } from "../gallery/result-tile.tsx";
import { MissingMark, MissingNote, PartialNote } from "../partial-outputs.tsx";
import { PrunedNote, isPruned, resultsPart } from "../run-storage.tsx";

const TABLE_BYTES = 8 * 1024;
const TABLE_ROWS = 5;
const PICTURES = 6;
const MORE_PAGES = 4;
const VALUES = 6;

type FirstResults = ReturnType<typeof useFirstResults>;

/** The results that the overview shows: some rows and the beginning of a table, for runs of any size. */
export function useFirstResults(run: Run) {
  const part = resultsPart(run);
  const isWanted = part === "outputs" || run.partial;
  const isThere = !isPruned(run, part);
  const first = useQuery({ ...resultsQuery(run.run_id, { text: "", page: 0 }), enabled: isWanted });
  const results = isWanted ? first.data : undefined;
  const pages = results === undefined ? [] : pagesOf(results);
  const others = useQueries({
    queries: pages.map((page) => resultsQuery(run.run_id, { text: "", page })),
  });
  const rowAt = (number: number) => {
    const page = Math.floor(number / RESULT_PAGE);
    return rowOfResults(page === 0 ? results : others[pages.indexOf(page)]?.data, number);
  };
  const outputs = results === undefined ? [] : summarizeOutputs(results.columns, results.total, rowAt);
  const tables = outputs.filter(({ look }) => look === "table" && isThere);
  const heads = useQueries({
    queries: tables.map((table) => textHeadQuery(urlOf(table) ?? "", TABLE_BYTES)),
  });
  return {
    ...{ run, outputs, isThere, error: first.error, retry: () => void first.refetch() },
    /** Undefined while loading, and while the run is open. */
    results,
    /** Beginnings of the tables, by the output. */
    heads: new Map(
      tables.flatMap(({ output }, at) => (heads[at]?.data === undefined ? [] : [[output, heads[at].data]])),
    ),
    isPending: isWanted && [first, ...others, ...heads].some((query) => query.isPending),
  };
}

/** The pages after the first one that have the first result of an output. */
function pagesOf({ columns, total }: Results): readonly number[] {
  const pages = new Set(firstRows(columns, total).map((row) => Math.floor(row / RESULT_PAGE)));
  return [...pages].filter((page) => page > 0).slice(0, MORE_PAGES);
}

function urlOf({ first: [first] }: OutputSummary): string | undefined {
  return isFileValue(first?.value) ? contentUrl(first.value) : undefined;
}

/** The results of a run at a glance: tables, pictures and a report, then values, then other files. */
export function RunResults(props: FirstResults) {
  const { run, results, outputs, isPending, error, retry } = props;
  if (error !== null && results === undefined) return <ErrorCard error={error} onRetry={retry} />;
  if (isPending) return <Skeleton rows={12} />;
  return (
    <TitledSection card title="Results" aside={outputs.length > 0 && <Actions {...props} />}>
      <div className="space-y-4">
        <PrunedNote run={run} part={run.partial && run.outputs === null ? "intermediate" : "outputs"} />
        {run.partial && <PartialNote run={run} isTruncated={results?.truncated === true} />}
        {outputs.length === 0 ? <p className="text-soft">{emptyText(run, results)}</p> : <Outputs {...props} />}
        {(results?.columns.length ?? 0) > MAX_OUTPUTS && (
          <p>
            <TextLink to="?tab=outputs">Open all {numberText(results?.columns.length ?? 0)} outputs</TextLink>
          </p>
        )}
      </div>
    </TitledSection>
  );
}

function Outputs(props: FirstResults) {
  const { outputs, isThere } = props;
  const others = outputs.filter(({ look }) => look === "values" || look === "files");
  return (
    <>
      {outputs
        .filter((summary) => !others.includes(summary))
        .map((summary) => (
          <Part key={summary.output} summary={summary}>
            <Looks {...props} summary={summary} />
          </Part>
        ))}
      {others.length > 0 && (
        <dl className="grid gap-x-6 gap-y-2 sm:grid-cols-2">
          {others.map((summary) => (
            <Other key={summary.output} summary={summary} isThere={isThere} />
          ))}
        </dl>
      )}
    </>
  );
}

function emptyText({ state }: Run, results: Results | undefined): string {
  if (!STATE_LOOKS[state].final) return "Results appear here when the run finishes.";
  return results === undefined ? "No outputs: no job succeeded." : "This process has no outputs.";
}

/** The next steps: downloading all results, and reviewing samples. */
function Actions({ run, outputs, isThere }: FirstResults) {
  const total = sampleTotal(run);
  const canReview = run.samples.length > 0 && outputs.some(({ isBySample }) => isBySample);
  return (
    <div className="flex flex-wrap gap-2">
      {canReview && (
        <Link className="btn btn-small" to="?tab=review">
          Review {total === undefined ? "samples" : countText(total, "sample")}
        </Link>
      )}
      {isThere && !run.partial && (
        <a className="btn btn-small" href={`${ownUrl(run.url)}/outputs.zip`} download>
          <Icon name="download" className="size-3.5" /> Download all
        </a>
      )}
    </div>
  );
}

function Part({ summary, children }: { readonly summary: OutputSummary; readonly children: ReactNode }) {
  const { label, count, first, isBySample, missing } = summary;
  const known = count - missing.length;
  return (
    <section aria-label={label} className="min-w-0">
      <div className="mb-1 flex flex-wrap items-baseline gap-x-3">
        <h3 title={summary.output}>{label}</h3>
        <span className="text-small text-soft">{sizeText(summary)}</span>
        {isBySample && known > Math.min(PICTURES, first.length) && (
          <Link className="link ml-auto text-small" to={links.view({ tab: "outputs", output: summary.output })}>
            Open all {numberText(known)}
          </Link>
        )}
      </div>
      <MissingNote missing={missing} />
      {children}
    </section>
  );
}

/** `6 files, 290 KiB`; the name of a single file. */
function sizeText({ count, first, missing, bytes }: OutputSummary): string {
  const [only] = first;
  const isSingle = count === 1 && isFileValue(only?.value);
  const known = count - missing.length;
  const noun = only === undefined ? "result" : isFileValue(only.value) ? "file" : "value";
  const files = isSingle ? fileName(only.value) : countText(known, noun);
  return bytes === undefined ? files : `${files}, ${formatBytes(bytes)}`;
}

function Looks({ summary, heads, isThere }: FirstResults & { readonly summary: OutputSummary }) {
  const { look, output, first } = summary;
  const head = heads.get(output);
  const [only] = first;
  if (look === "table" && head !== undefined && isFileValue(only?.value))
    return <TableHead name={fileName(only.value)} place={only.place} head={head} />;
  if (look === "pictures") return <Pictures summary={summary} isThere={isThere} />;
  const url = urlOf(summary);
  if (look === "report" && isThere && url !== undefined)
    return (
      <iframe
        src={url}
        title={summary.label}
        sandbox=""
        loading="lazy"
        className="h-80 w-full rounded-lg border border-line bg-white"
      />
    );
  return null;
}

/** The first pictures; each opens in the viewer. */
function Pictures({ summary, isThere }: Pick<FirstResults, "isThere"> & { readonly summary: OutputSummary }) {
  const { first, label } = summary;
  return (
    <ul className="grid grid-cols-2 gap-2 sm:grid-cols-3 2xl:grid-cols-6">
      {first.slice(0, PICTURES).map(({ place, name, value }) => (
        <li key={place.row} className="h-28 min-w-0">
          <Link
            className="block h-full rounded-lg"
            to={links.view({ tab: "outputs", open: placeText(place) })}
            aria-label={name ?? label}
          >
            <Picture file={value} name={name} isThere={isThere} />
          </Link>
        </li>
      ))}
    </ul>
  );
}

interface PictureProps {
  readonly file: unknown;
  readonly name: string | undefined;
  readonly isThere: boolean;
}

function Picture({ file, name, isThere }: PictureProps) {
  if (!isFileValue(file)) return <span className="text-soft">not set</span>;
  return (
    <span className="flex h-full flex-col overflow-hidden rounded-lg border border-line hover:border-edge">
      <span className="block min-h-0 flex-1 overflow-hidden bg-sunken">
        <FileThumbnail file={file} isThere={isThere} isScrolling={false} />
      </span>
      <span className="truncate px-2 py-0.5 text-small">{name ?? fileName(file)}</span>
    </span>
  );
}

interface TableHeadProps {
  readonly name: string;
  readonly place: ResultPlace;
  readonly head: TextHead;
}

/** The first rows of a table. Long numbers are rounded; their cells have the whole number as title. */
function TableHead({ name, place, head: { text, truncated } }: TableHeadProps) {
  const [columns = [], ...rows] = parseDelimited(text, name.endsWith(".csv") ? "," : "\t", TABLE_ROWS + 2);
  // The last row of a part of a file may be incomplete.
  const whole = truncated ? rows.slice(0, -1) : rows;
  const shown = whole.slice(0, TABLE_ROWS);
  return (
    <>
      <div
        tabIndex={0}
        role="region"
        aria-label={name}
        className="w-fit max-w-full overflow-x-auto rounded-lg border border-line"
      >
        <HeadRows columns={columns} rows={shown} />
      </div>
      {(truncated || whole.length > shown.length) && (
        <p className="mt-1 text-small text-soft">
          First {countText(shown.length, "row")}.{" "}
          <TextLink to={links.view({ tab: "outputs", open: placeText(place) })}>Open the table</TextLink>
        </p>
      )}
    </>
  );
}

type Cells = readonly string[];

function HeadRows({ columns, rows }: { readonly columns: Cells; readonly rows: readonly Cells[] }) {
  const isNumber = columns.map((_, place) => rows.every((row) => isNumeral(row[place] ?? "")));
  return (
    <table className="table text-compact">
      <thead>
        <tr>
          {columns.map((column, place) => (
            <th key={place} scope="col" className={isNumber[place] === true ? "number" : ""}>
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, number) => (
          <tr key={number}>
            {row.map((cell, place) => (
              <Cell key={place} text={cell} isNumber={isNumber[place] === true} />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Cell({ text, isNumber }: { readonly text: string; readonly isNumber: boolean }) {
  return (
    <td title={text} className={`whitespace-nowrap ${isNumber ? "number" : ""}`}>
      {cellText(text, isNumber)}
    </td>
  );
}

function isNumeral(cell: string): boolean {
  return Number.isFinite(Number(cell));
}

/** Values as text: a file as its name, several files as their number. */
function Other({ summary, isThere }: { readonly summary: OutputSummary; readonly isThere: boolean }) {
  return (
    <div className="min-w-0">
      <dt className="text-soft" title={summary.output}>
        {summary.label}
      </dt>
      <dd className="wrap-anywhere">
        <MissingNote missing={summary.missing} />
        <OtherValue summary={summary} isThere={isThere} />
      </dd>
    </div>
  );
}

function OtherValue({ summary, isThere }: { readonly summary: OutputSummary; readonly isThere: boolean }) {
  const { look, count, first, missing } = summary;
  const [only] = first;
  const [lack] = missing;
  if (look === "values" && typeof only?.value !== "object") return <Values summary={summary} />;
  if (lack !== undefined && first.length === 0) return lack.index.length === 0 && <MissingMark entry={lack} />;
  if (count > 1 || only === undefined || (look === "values" && !isFileValue(only.value)))
    return <TextLink to={links.view({ tab: "outputs", output: summary.output })}>{sizeText(summary)}</TextLink>;
  if (!isFileValue(only.value)) return <span className="text-soft">not set</span>;
  return <FileLink file={isThere ? only.value : withoutContent(only.value)} />;
}

/** A deleted file has a name and a size, but no link. */
function withoutContent({ class: kind, size, ...file }: FileValue): FileValue {
  return { class: kind, basename: fileName({ class: kind, ...file }), size };
}

function Values({ summary }: { readonly summary: OutputSummary }) {
  const { first, count, missing } = summary;
  const shown = first.slice(0, VALUES);
  const others = count - missing.length - shown.length;
  return (
    <>
      {shown.map(({ place, name, value }, at) => (
        <span key={place.row} title={titleOf(name, value)}>
          {at > 0 && ", "}
          {contentText(value)}
        </span>
      ))}
      {others > 0 && (
        <>
          {" "}
          <TextLink to={links.view({ tab: "outputs", output: summary.output })}>and {numberText(others)} more</TextLink>
        </>
      )}
    </>
  );
}

/** The whole value, after its sample. */
function titleOf(name: string | undefined, value: unknown): string {
  return name === undefined ? String(value) : `${name}: ${String(value)}`;
}
