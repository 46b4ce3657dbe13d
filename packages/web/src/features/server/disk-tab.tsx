import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { DiskUsage } from "@weft/shared/records/operations-record.ts";
import { routeQuery } from "../../api/route-query.ts";
import { serverQuery } from "../../api/session-query.ts";
import { FreeSpaceButton } from "../../components/free-space/free-space-button.tsx";
import { formatBytes } from "../../format/format-bytes.ts";
import { links } from "../../format/links.ts";
import { Button } from "../../ui/button.tsx";
import { DataTable, type Column } from "../../ui/data-table.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Pager } from "../../ui/pager.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { TimeAgo } from "../../ui/time-text.tsx";
import { TitledSection } from "../../ui/titled-section.tsx";
import { useSearchParam } from "../../ui/use-search-param.ts";
import { NameLink } from "../../ui/text-link.tsx";

type Used = DiskUsage["runs"][number];

const SIZES = [
  { label: "Total", number: true, render: (used) => formatBytes(used.total_bytes) },
  { label: "Outputs", number: true, render: (used) => formatBytes(used.outputs_bytes) },
  { label: "Intermediate", number: true, render: (used) => formatBytes(used.intermediate_bytes) },
  { label: "Logs", number: true, render: (used) => formatBytes(used.logs_bytes) },
] as const satisfies readonly Column<
  Pick<Used, "total_bytes" | "outputs_bytes" | "intermediate_bytes" | "logs_bytes">
>[];

const RUN_COLUMNS: readonly Column<Used>[] = [
  {
    label: "Run",
    bare: true,
    render: (run) => (
      <>
        <NameLink to={links.run(run.run_id, { tab: "info" })}>{run.name}</NameLink>
        <span className="ml-2 text-soft">{run.id}</span>
      </>
    ),
  },
  { label: "Owner", render: ({ owner }) => owner },
  {
    label: "Finished",
    className: "whitespace-nowrap",
    render: ({ ended_at: end }) => (end === null ? "–" : <TimeAgo time={end} />),
  },
  ...SIZES,
  { label: "Free up space", hidden: true, className: "md:text-right", render: (run) => <FreeSpace run={run} /> },
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
    <div className="space-y-5">
      <FreeDisk />
      <QueryView query={disk}>
        {(data) =>
          data.processes.length === 0 ? (
            <EmptyState text="No finished run has been measured yet." />
          ) : (
            <>
              <Processes disk={data} onChoose={setProcess} />
              <Runs disk={data} process={process} onAll={() => setProcess("")} />
            </>
          )
        }
      </QueryView>
    </div>
  );
}

function FreeDisk() {
  const { data } = useQuery(serverQuery());
  return (
    <div className="flex flex-wrap items-center justify-between gap-3">
      {data !== undefined && (
        <p>
          {formatBytes(data.disk_free_bytes)} of {formatBytes(data.disk_bytes)} are free.
        </p>
      )}
      <FreeSpaceButton />
    </div>
  );
}

function Processes({ disk, onChoose }: { readonly disk: DiskUsage; readonly onChoose: (id: string) => void }) {
  const columns: readonly Column<DiskUsage["processes"][number]>[] = [
    {
      label: "Network or tool",
      bare: true,
      render: ({ id, kind }) => (
        <>
          <Button look="link" className="font-medium" onClick={() => onChoose(id)}>
            {id}
          </Button>
          {kind === "tool" && <span className="ml-2 text-soft">tool</span>}
        </>
      ),
    },
    { label: "Runs", number: true, render: ({ runs }) => runs },
    ...SIZES,
  ];
  return (
    <TitledSection title="By network and tool">
      <DataTable
        caption="Disk usage by network and tool"
        columns={columns}
        rows={disk.processes}
        keyOf={({ kind, id }) => `${kind} ${id}`}
        isLong={disk.processes.length > 10}
      />
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
      <DataTable caption="Disk usage by run" columns={RUN_COLUMNS} rows={disk.runs} keyOf={(run) => run.run_id} />
      <Pager nextPageToken={disk.next_page_token} shown={disk.runs.length} total={disk.total} noun="run" />
    </TitledSection>
  );
}

function FreeSpace({ run }: { readonly run: Used }) {
  if (!run.in_use) return run.total_bytes > 0 && <FreeSpaceButton run={run} />;
  return (
    <span className="text-soft" title="A running run reads its files. You can delete them when that run finishes.">
      in use
    </span>
  );
}
