import { useQueries, useQuery } from "@tanstack/react-query";
import type { DatasetDetail, DatasetFile } from "@weft/shared/records/dataset-record.ts";
import { useState } from "react";
import { Navigate } from "react-router-dom";
import {
  type DatasetPlace,
  FILES_PER_PAGE,
  datasetDetailQuery,
  datasetFilesQuery,
} from "../api/queries/dataset-queries.ts";
import { routeQuery } from "../api/route-query.ts";
import { type ValueColumn, ValueGrid } from "../features/datasets/query-result.tsx";
import { QueryTab } from "../features/datasets/query-tab.tsx";
import { countText, numberText } from "@weft/shared/text/count-text.ts";
import { EmptyState } from "../ui/empty-state.tsx";
import { Input, Field } from "../ui/field.tsx";
import { PageHeading } from "../ui/page-heading.tsx";
import { QueryView } from "../ui/query-view.tsx";
import { SearchField, useSettled, useTypedParam } from "../ui/search-field.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { TabBar } from "../ui/tab-bar.tsx";
import { useSearchParam } from "../ui/use-search-param.ts";

const CRUMBS = [{ label: "Datasets", to: "/datasets" }];

const PAUSE_MS = 300;

const PROBLEM_COLUMNS: readonly ValueColumn<DatasetDetail["problems"][number]>[] = [
  { label: "Path", width: 320, text: ({ name }) => name },
  { label: "Reason", width: 260, text: ({ reason }) => reason },
];

const PATTERN_PAUSE_MS = 400;

/** `/dataset?location=&pattern=&network=&query=&ask=&tab=` */
export default function DatasetRoute() {
  const [location] = useSearchParam("location");
  const [pattern] = useSearchParam("pattern");
  const detail = useQuery({ ...datasetDetailQuery({ location, pattern }), enabled: location !== "" });
  if (location === "") return <Navigate to="/datasets" replace />;
  const name = detail.data?.title ?? detail.data?.name ?? location;
  return (
    <>
      <PageHeading title={name} documentTitle={`${name} - Datasets`} crumbs={CRUMBS} />
      {(pattern !== "" || detail.data?.kind === "files") && (
        <div className="card mb-4 p-4">
          <PatternField />
        </div>
      )}
      <QueryView query={detail.error === null ? detail : { ...detail, data: undefined }}>
        {(data) => (
          <DatasetPage place={{ location, pattern: data.kind === "files" ? pattern || ALL_FILES : "" }} detail={data} />
        )}
      </QueryView>
    </>
  );
}

/** The listing that the server reads while a folder has no pattern. */
const ALL_FILES = "**/{file}";

function DatasetPage({ place, detail }: { readonly place: DatasetPlace; readonly detail: DatasetDetail }) {
  const [queryId] = useSearchParam("query");
  const queries = useQuery({ ...routeQuery("GET /api/dataset-queries"), enabled: queryId !== "" });
  if (queryId !== "" && queries.isPending) return <Skeleton />;
  const saved = queries.data?.queries.find(({ query_id: id }) => id === queryId);
  return (
    <>
      <p className="mb-4 text-soft">{summaryOf(detail)}</p>
      <TabBar
        label="About this dataset"
        tabs={[
          {
            id: "query",
            label: "Query",
            content: <QueryTab key={queryId} place={place} detail={detail} saved={saved} />,
          },
          { id: "files", label: "Files", content: <FileGrid place={place} detail={detail} /> },
          {
            id: "problems",
            label: "Skipped files",
            note: <span className="text-soft">{detail.problems_total}</span>,
            content: <ProblemGrid detail={detail} />,
          },
        ]}
      />
    </>
  );
}

function summaryOf(detail: DatasetDetail): string {
  const { kind, location, bids_version: version, subjects, sessions, files, problems_total } = detail;
  if (kind === "files") return `${location}: ${countText(files, "file")} match, ${problems_total} do not.`;
  const bids = `BIDS${version === null ? "" : ` ${version}`}`;
  return `${location}: ${bids}, ${countText(subjects, "subject")}, ${countText(sessions, "session")}, ${countText(files, "file")}.`;
}

interface FileGridProps {
  readonly place: DatasetPlace;
  readonly detail: Pick<DatasetDetail, "fields">;
}

/** The files of a dataset with the fields of their names. Loads the pages that are visible. */
function FileGrid({ place, detail }: FileGridProps) {
  const [q, setQ] = useState("");
  const asked = useSettled(q, PAUSE_MS);
  const first = useQuery(datasetFilesQuery(place, asked, 0));
  return (
    <div className="space-y-3">
      <SearchField className="w-full md:max-w-sm" label="Part of the path" value={q} onChange={setQ} />
      <QueryView query={first}>
        {({ total }) =>
          total === 0 ? (
            <EmptyState text={asked === "" ? "The dataset has no files." : `No files match "${asked}".`} />
          ) : (
            <Pages key={asked} place={place} q={asked} total={total} detail={detail} />
          )
        }
      </QueryView>
    </div>
  );
}

interface PagesProps extends FileGridProps {
  readonly q: string;
  readonly total: number;
}

/** Rows of pages that are not loaded are empty until they are. */
function Pages({ place, q, total, detail }: PagesProps) {
  const [wanted, setWanted] = useState<ReadonlySet<number>>(new Set([0]));
  const pages = [...wanted];
  const answers = useQueries({ queries: pages.map((page) => datasetFilesQuery(place, q, page)) });
  const files = new Map(
    answers.flatMap(({ data }) => data?.files.map((file, at) => [data.from + at, file] as const) ?? []),
  );
  const rowAt = (row: number) => {
    const page = Math.floor(row / FILES_PER_PAGE);
    if (!wanted.has(page)) queueMicrotask(() => setWanted((known) => new Set([...known, page])));
    return files.get(row);
  };
  return (
    <>
      <p className="text-soft">{countText(total, "file")}</p>
      <ValueGrid
        label="Files"
        columns={[
          { label: "Path", width: 300, text: (file) => file.path },
          ...detail.fields
            .filter(({ source }) => source === "name")
            .map(({ name, label }) => ({
              label,
              width: 110,
              text: ({ fields }: DatasetFile) => fields[name] ?? "",
            })),
        ]}
        rows={total}
        rowAt={rowAt}
        shown={18}
      />
    </>
  );
}

/** Files and folders that are not part of the dataset, with the reasons. */
function ProblemGrid({ detail: { problems, problems_total: total } }: { readonly detail: DatasetDetail }) {
  if (total === 0) return <EmptyState text="Every file is part of the dataset." />;
  return (
    <>
      <ValueGrid
        label="Files that are not read"
        columns={PROBLEM_COLUMNS}
        rows={problems.length}
        rowAt={(row) => problems[row]}
        shown={18}
      />
      {problems.length < total && (
        <p className="mt-1 text-soft">
          The first {numberText(problems.length)} of {numberText(total)}.
        </p>
      )}
    </>
  );
}

/**
 * The field for the pattern of a folder that is not BIDS (`?pattern=`). The page shows the matching files while the
 * user types.
 */
function PatternField() {
  const [text, setText] = useTypedParam("pattern", PATTERN_PAUSE_MS);
  return (
    <Field label="Pattern of file names">
      <Input
        className="w-full max-w-160 font-mono"
        placeholder="{sample}/{session}_R{read}.fastq.gz"
        spellCheck={false}
        value={text}
        onType={setText}
      />
      <span className="mt-1 block text-small text-soft">
        <code>{"{name}"}</code> is a field, <code>*</code> any text, <code>**</code> any folders.
      </span>
    </Field>
  );
}
