import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { DiskUsage } from "@weft/shared/records/operations-record.ts";
import { Link } from "react-router-dom";
import { routeQuery } from "../../api/route-query.ts";
import { FreeSpaceButton } from "../../components/free-space/free-space-button.tsx";
import { formatBytes } from "../../format/format-bytes.ts";
import { Button } from "../../ui/button.tsx";
import { DataTable, type Column } from "../../ui/data-table.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Pager } from "../../ui/pager.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { TimeAgo } from "../../ui/time-text.tsx";
import { TitledSection } from "../../ui/titled-section.tsx";
import { useSearchParam } from "../../ui/use-search-param.ts";

const SIZES: readonly Column[] = [
  { label: "Total", number: true },
  { label: "Outputs", number: true },
  { label: "Intermediate", number: true },
  { label: "Logs", number: true },
];

/** Disk usage of finished runs, by network and by run, with buttons to delete files. */
export function DiskTab() {
  const [page] = useSearchParam("page");
  const [process, setProcess] = useSearchParam("process");
  const disk = useQuery({
    ...routeQuery("GET /api/server/disk", { query: { process, page_size: 50, page_token: page } }),
    placeholderData: keepPreviousData,
  });
  return (
    <QueryView query={disk}>
      {(data) =>
        data.processes.length === 0 ? (
          <EmptyState text="No finished run has been measured yet." />
        ) : (
          <div className="space-y-5">
            <Processes disk={data} onChoose={setProcess} />
            <Runs disk={data} process={process} onAll={() => setProcess("")} />
          </div>
        )
      }
    </QueryView>
  );
}

function Processes({ disk, onChoose }: { readonly disk: DiskUsage; readonly onChoose: (id: string) => void }) {
  return (
    <TitledSection title="By network and tool" aside={<FreeSpaceButton />}>
      <DataTable
        caption="Disk usage by network and tool"
        columns={[{ label: "Network or tool" }, { label: "Runs", number: true }, ...SIZES]}
        isLong={disk.processes.length > 10}
      >
        {disk.processes.map((used) => (
          <tr key={`${used.kind} ${used.id}`}>
            <td>
              <Button look="link" className="font-medium" onClick={() => onChoose(used.id)}>
                {used.id}
              </Button>
              {used.kind === "tool" && <span className="ml-2 text-soft">tool</span>}
            </td>
            <td data-label="Runs" className="number">
              {used.runs}
            </td>
            <SizeCells used={used} />
          </tr>
        ))}
      </DataTable>
    </TitledSection>
  );
}

interface RunsProps {
  readonly disk: DiskUsage;
  /** Id of a network or tool; "": all. */
  readonly process: string;
  readonly onAll: () => void;
}

function Runs({ disk, process, onAll }: RunsProps) {
  return (
    <TitledSection
      title={process === "" ? "By run" : `Runs of ${process}`}
      aside={
        process !== "" && (
          <Button small onClick={onAll}>
            Show all runs
          </Button>
        )
      }
    >
      <DataTable
        caption="Disk usage by run"
        columns={[
          { label: "Run" },
          { label: "Owner" },
          { label: "Finished" },
          ...SIZES,
          { label: "Free space", hidden: true },
        ]}
      >
        {disk.runs.map((run) => (
          <RunRow key={run.run_id} run={run} />
        ))}
      </DataTable>
      <Pager nextPageToken={disk.next_page_token} shown={disk.runs.length} total={disk.total} noun="run" />
    </TitledSection>
  );
}

function RunRow({ run }: { readonly run: DiskUsage["runs"][number] }) {
  return (
    <tr>
      <td>
        <Link className="link font-medium wrap-anywhere" to={`/run/${run.run_id}?tab=info`}>
          {run.name}
        </Link>
        <span className="ml-2 text-soft">{run.id}</span>
      </td>
      <td data-label="Owner">{run.owner}</td>
      <td data-label="Finished" className="whitespace-nowrap">
        {run.ended_at === null ? "–" : <TimeAgo time={run.ended_at} />}
      </td>
      <SizeCells used={run} />
      <td className="md:text-right">
        {run.in_use ? (
          <span
            className="text-soft"
            title="A running run reads its files. You can delete them when that run finishes."
          >
            in use
          </span>
        ) : (
          run.total_bytes > 0 && <FreeSpaceButton run={run} />
        )}
      </td>
    </tr>
  );
}

type Sizes = Pick<DiskUsage["runs"][number], "total_bytes" | "outputs_bytes" | "intermediate_bytes" | "logs_bytes">;

function SizeCells({ used }: { readonly used: Sizes }) {
  const sizes = [used.total_bytes, used.outputs_bytes, used.intermediate_bytes, used.logs_bytes];
  return SIZES.map(({ label }, index) => (
    <td key={label} data-label={label} className="number">
      {formatBytes(sizes[index] ?? 0)}
    </td>
  ));
}
