import { useQuery } from "@tanstack/react-query";
import { Link, useSearchParams } from "react-router-dom";
import { runQuery } from "../api/run-queries.ts";
import { FileSearch } from "../features/provenance/file-search.tsx";
import { ImportCrate } from "../features/provenance/import-crate.tsx";
import LineageTree from "../features/provenance/lineage-tree.tsx";
import { OccurrenceTable } from "../features/provenance/occurrence-table.tsx";
import { RecentRuns } from "../features/provenance/recent-runs.tsx";
import { PageHeading } from "../ui/page-heading.tsx";
import { QueryView } from "../ui/query-view.tsx";

/** `/prov?q=&checksum=&tool=&version=` finds files; `/prov?run=&port=` follows the outputs of a run back to its inputs. */
export default function ProvRoute() {
  const [params] = useSearchParams();
  const value = (name: string) => params.get(name) ?? "";
  return (
    <>
      <PageHeading title="Provenance" documentTitle="Provenance" />
      <FileSearch />
      <Answer value={value} />
    </>
  );
}

function Answer({ value }: { readonly value: (name: string) => string }) {
  const [q, checksum, run, tool] = [value("q"), value("checksum"), value("run"), value("tool")];
  if (q !== "" || checksum !== "" || tool !== "")
    return <OccurrenceTable q={q} checksum={checksum} run={run} tool={tool} version={value("version")} />;
  if (run !== "") return <RunLineage key={run} runId={run} port={value("port")} />;
  return (
    <>
      <ImportCrate />
      <RecentRuns />
    </>
  );
}

function RunLineage({ runId, port }: { readonly runId: string; readonly port: string }) {
  const run = useQuery(runQuery(runId));
  return (
    <QueryView query={run}>
      {(data) => (
        <section>
          <h2 className="mb-2">
            Outputs of{" "}
            <Link className="link" to={`/run/${runId}`}>
              {data.name}
            </Link>
          </h2>
          <LineageTree runId={runId} port={port} />
        </section>
      )}
    </QueryView>
  );
}
