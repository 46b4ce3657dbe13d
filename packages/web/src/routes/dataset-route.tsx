import { useQuery } from "@tanstack/react-query";
import type { DatasetDetail } from "@weft/shared/records/dataset-record.ts";
import { datasetDetailQuery, savedQueriesQuery, type DatasetPlace } from "../api/dataset-queries.ts";
import { FileGrid } from "../features/datasets/file-grid.tsx";
import { PatternField } from "../features/datasets/pattern-field.tsx";
import { ProblemGrid } from "../features/datasets/problem-grid.tsx";
import { QueryTab } from "../features/datasets/query-tab.tsx";
import { countText } from "../format/count-text.ts";
import { PageHeading } from "../ui/page-heading.tsx";
import { QueryView } from "../ui/query-view.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { TabBar } from "../ui/tab-bar.tsx";
import { useSearchParam } from "../ui/use-search-param.ts";

const CRUMBS = [{ label: "Datasets", to: "/datasets" }];

/** `/dataset?location=&pattern=&network=&query=&ask=&tab=` */
export default function DatasetRoute() {
  const [location] = useSearchParam("location");
  const [pattern] = useSearchParam("pattern");
  const detail = useQuery(datasetDetailQuery({ location, pattern }));
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
  const queries = useQuery({ ...savedQueriesQuery(), enabled: queryId !== "" });
  if (queryId !== "" && queries.isPending) return <Skeleton />;
  const saved = queries.data?.find(({ query_id: id }) => id === queryId);
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

function summaryOf({
  kind,
  location,
  bids_version: version,
  subjects,
  sessions,
  files,
  problems_total,
}: DatasetDetail): string {
  if (kind === "files") return `${location}: ${countText(files, "file")} match, ${problems_total} do not.`;
  const bids = `BIDS${version === null ? "" : ` ${version}`}`;
  return `${location}: ${bids}, ${countText(subjects, "subject")}, ${countText(sessions, "session")}, ${countText(files, "file")}.`;
}
