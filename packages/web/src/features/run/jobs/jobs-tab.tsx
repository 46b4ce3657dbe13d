import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { Run } from "@weft/shared/records/run-record.ts";
import { useState } from "react";
import { useSearchParams } from "react-router-dom";
import { jobPageQuery } from "../../../api/queries/job-queries.ts";
import { countText, numberText } from "@weft/shared/text/count-text.ts";
import { parseBytes, parseDuration } from "../../../format/parse-amount.ts";
import { JOB_STATE_ORDER, STATE_LOOKS } from "../../../format/state-look.ts";
import { Button } from "../../../ui/button.tsx";
import { EmptyState, NoMatch } from "../../../ui/empty-state.tsx";
import { CheckField, InlineField, Select } from "../../../ui/field.tsx";
import { DropDown } from "../../../ui/drop-down.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { onDemand } from "../../../ui/on-demand.tsx";
import { QueryView } from "../../../ui/query-view.tsx";
import { SearchBox, TextFilter } from "../../../ui/search-field.tsx";
import { useSearchParam } from "../../../ui/use-search-param.ts";
import { useIsPhone } from "../../../ui/use-layout.ts";
import { failedJobs } from "../failures/failure-card.tsx";
import { JOB_COLUMN, JOB_COLUMNS, useColumnChoice } from "./job-columns.tsx";
import { FILTER_PARAMS, parseJobFilter } from "./job-filter.ts";
import { JobTable } from "./job-table.tsx";
import { Toolbar } from "../../../ui/toolbar.tsx";

const JobPanel = onDemand(() => import("./job-panel.tsx"));

const MORE_PARAMS = ["sample", "message", "cache", "ran-min", "ran-max", "memory-min", "memory-max"] as const;

/** The jobs of a run, filtered and sorted by the server; `?job=` opens one in a side panel. */
export default function JobsTab({ run }: { readonly run: Run }) {
  const [params] = useSearchParams();
  const asked = FILTER_PARAMS.map((name) => params.get(name) ?? "").join("\n") + (params.get("sort") ?? "");
  // Failed jobs come first.
  const order = failedJobs(run) > 0 ? "state" : undefined;
  const filter = parseJobFilter(params, order);
  const first = useQuery({ ...jobPageQuery(run.run_id, filter, 0), placeholderData: keepPreviousData });
  const [jobId, setJobId] = useSearchParam("job");
  const isFiltered = FILTER_PARAMS.some((name) => params.has(name));
  // Not the total of the progress, which includes jobs that do not exist yet, or never will.
  const all = Object.values(run.job_counts).reduce((sum, count) => sum + count, 0);
  return (
    <>
      <JobFilters run={run} />
      <QueryView query={first} rows={12}>
        {({ total }) =>
          total === 0 ? (
            <NoJobs isFiltered={isFiltered} />
          ) : (
            <>
              <JobTable
                key={asked}
                runId={run.run_id}
                filter={filter}
                total={total ?? 0}
                chosen={jobId}
                onOpen={setJobId}
                hasMessages={run.job_counts.COMPLETE !== run.progress.jobs_total}
              />
              <JobCount total={total ?? 0} all={isFiltered ? all : undefined} />
            </>
          )
        }
      </QueryView>
      {jobId !== "" && <JobPanel runId={run.run_id} jobId={jobId} onClose={() => setJobId("")} />}
    </>
  );
}

/** `all`: the total number, if filters hide some. */
function JobCount({ total, all }: { readonly total: number; readonly all: number | undefined }) {
  return (
    <p role="status" className="mt-2 text-soft tabular-nums">
      {all === undefined ? countText(total, "job") : `${numberText(total)} of ${numberText(all)} jobs`}
    </p>
  );
}

function NoJobs({ isFiltered }: { readonly isFiltered: boolean }) {
  if (!isFiltered) return <EmptyState text="No jobs queued yet." />;
  return <NoMatch text="No jobs match these filters." filters={FILTER_PARAMS} />;
}

/** The filters of the table, each in the URL; less common ones are collapsed. */
function JobFilters({ run }: { readonly run: Run }) {
  const isPhone = useIsPhone();
  const set = useSetParams();
  const [open, setOpen] = useState(set > 0);
  return (
    <div className="mb-3 space-y-2">
      <Toolbar>
        <SearchBox label="Job, step or sample" />
        <Choice
          name="state"
          label="State"
          options={JOB_STATE_ORDER.map((id) => ({ id, label: STATE_LOOKS[id].word }))}
        />
        <Choice
          name="step"
          label="Step"
          options={run.step_counts.filter(({ step }) => step !== "").map(({ step: id }) => ({ id, label: id }))}
        />
        <Button aria-expanded={open} onClick={() => setOpen(!open)}>
          More filters{set > 0 && ` (${set})`}
          <Icon name="chevronDown" className={`size-3.5 ${open ? "rotate-180" : ""}`} />
        </Button>
        {isPhone ? <SortChoice /> : <ColumnMenu />}
      </Toolbar>
      {open && <MoreFilters />}
    </div>
  );
}

/** Number of active less common filters. */
function useSetParams(): number {
  const [params] = useSearchParams();
  return MORE_PARAMS.filter((name) => (params.get(name) ?? "") !== "").length;
}

function MoreFilters() {
  return (
    <div role="group" aria-label="More filters" className="card flex flex-wrap items-end gap-x-4 gap-y-2 px-3 py-2">
      <TextFilter name="message" label="Message contains" className="w-44" />
      <TextFilter name="sample" label="Sample" className="w-44" />
      <TextFilter name="ran-min" label="Ran at least" className="w-28" placeholder="5m" parse={parseDuration} />
      <TextFilter name="ran-max" label="Ran at most" className="w-28" placeholder="1h 30m" parse={parseDuration} />
      <TextFilter name="memory-min" label="Memory at least" className="w-28" placeholder="500 MiB" parse={parseBytes} />
      <TextFilter name="memory-max" label="Memory at most" className="w-28" placeholder="2 GiB" parse={parseBytes} />
      <Choice name="cache" label="Cache" options={["hit", "miss", "off"].map((id) => ({ id, label: id }))} />
    </div>
  );
}

type ParamName = (typeof MORE_PARAMS)[number] | "state" | "step";

interface ChoiceProps {
  readonly name: ParamName;
  readonly label: string;
  readonly options: readonly { readonly id: string; readonly label: string }[];
}

function Choice({ name, label, options }: ChoiceProps) {
  const [value, setValue] = useSearchParam(name);
  return (
    <InlineField label={label}>
      <Select className="w-auto max-w-44" value={value} none="all" options={options} onChoose={setValue} />
    </InlineField>
  );
}

const SORTS = [
  { id: "n", label: "in queue order" },
  ...[JOB_COLUMN, ...JOB_COLUMNS].flatMap(({ sort, label, ...column }) => {
    if (sort === undefined) return [];
    const text = `by ${label.toLowerCase()}`;
    return "number" in column ? { id: `-${sort}`, label: `${text}, largest first` } : { id: sort, label: text };
  }),
];

/** Chooses the sort order on screens without clickable column headers. */
function SortChoice() {
  const [sort, setSort] = useSearchParam("sort");
  return (
    <InlineField label="Sort">
      <Select className="w-auto" value={sort} none="failed first" options={SORTS} onChoose={setSort} />
    </InlineField>
  );
}

function ColumnMenu() {
  const { shown, toggle } = useColumnChoice();
  return (
    <DropDown
      className="ml-auto"
      button={
        <>
          Columns <Icon name="chevronDown" className="size-3.5" />
        </>
      }
    >
      <ul className="card absolute right-0 z-20 mt-1 w-44 space-y-1 p-3 shadow-lg">
        {JOB_COLUMNS.map(({ id, label }) => (
          <li key={id}>
            <CheckField checked={shown.some((column) => column.id === id)} onCheck={() => toggle(id)}>
              {label}
            </CheckField>
          </li>
        ))}
      </ul>
    </DropDown>
  );
}
