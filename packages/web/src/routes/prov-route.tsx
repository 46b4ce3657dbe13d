import { useQuery } from "@tanstack/react-query";
import { Link, useSearchParams } from "react-router-dom";
import { runQuery } from "../api/run-queries.ts";
import { FileSearch } from "../features/provenance/file-search.tsx";
import { ImportCrate } from "../features/provenance/import-crate.tsx";
import { FileList } from "../features/provenance/file-list.tsx";
import { RecentRuns } from "../features/provenance/recent-runs.tsx";
import RunProvenance from "../features/provenance/run-provenance.tsx";
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
    return (
      <FileList
        label="Where the file was read or written"
        search={{
          q: q || undefined,
          checksum: checksum || undefined,
          run: run || undefined,
          tool: tool || undefined,
          version: value("version") || undefined,
        }}
        noun="occurrence"
        empty={checksum === "" ? "No file fits this search." : "No run has read or written a file with this content."}
      />
    );
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
            Provenance of{" "}
            <Link className="link" to={`/run/${runId}`}>
              {data.name}
            </Link>
          </h2>
          <RunProvenance run={data} port={port} />
        </section>
      )}
    </QueryView>
  );
}
