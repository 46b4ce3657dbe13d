import { useQuery } from "@tanstack/react-query";
import type { FileOccurrenceList } from "@weft/shared/records/lineage-record.ts";
import { fileOccurrencesQuery, provenanceUrl } from "../../api/lineage-queries.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Pager } from "../../ui/pager.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { useSearchParam } from "../../ui/use-search-param.ts";
import { LineageGraph } from "./lineage-graph.tsx";
import { LineageNode } from "./lineage-node.tsx";

export interface LineageTreeProps {
  readonly runId: string;
  /** Output to open at once, "" for none. */
  readonly port: string;
}

/** The outputs of a run, each to be followed back: the job that wrote it, what that read, who wrote this, to the inputs. */
export default function LineageTree({ runId, port }: LineageTreeProps) {
  const [page] = useSearchParam("page");
  const outputs = useQuery(
    fileOccurrencesQuery({
      run: runId,
      scope: "run",
      direction: "output",
      pageSize: 100,
      pageToken: page || undefined,
    }),
  );
  return (
    <>
      <div className="mb-3 flex flex-wrap items-center gap-3">
        <p className="max-w-prose text-soft">
          Open an output to see the job that wrote it, and from there its inputs, back to those of the run.
        </p>
        <Exports runId={runId} />
      </div>
      <QueryView query={outputs}>
        {(data) =>
          data.files.length === 0 ? (
            <EmptyState text="This run has no output files (yet)." />
          ) : (
            <OutputPage data={data} port={port} />
          )
        }
      </QueryView>
      <LineageGraph runId={runId} />
    </>
  );
}

function OutputPage({ data, port }: Pick<LineageTreeProps, "port"> & { readonly data: FileOccurrenceList }) {
  return (
    <>
      <ul className="card max-h-[70vh] divide-y divide-line overflow-auto px-3">
        {data.files.map((file) => (
          <LineageNode
            key={`${file.port} ${file.name} ${file.url ?? ""}`}
            file={file}
            startsOpen={file.port === port}
          />
        ))}
      </ul>
      <Pager nextPageToken={data.next_page_token} shown={data.files.length} total={data.total} noun="file" />
    </>
  );
}

function Exports({ runId }: { readonly runId: string }) {
  return (
    <div className="ml-auto flex flex-wrap gap-2">
      <a className="btn" href={provenanceUrl(runId, "ro-crate")} download={`crate-${runId}.zip`}>
        <Icon name="download" /> Crate
      </a>
      <a className="btn" href={provenanceUrl(runId, "prov-json")} download={`${runId}.prov.json`}>
        <Icon name="download" /> PROV-JSON
      </a>
      <a className="btn" href={provenanceUrl(runId, "prov-n")} download={`${runId}.provn`}>
        <Icon name="download" /> PROV-N
      </a>
    </div>
  );
}
