import type { RunSummary } from "@weft/shared/records/run-record.ts";
import { numberText, pluralOf } from "@weft/shared/text/count-text.ts";
import { Link } from "react-router-dom";
import { formatDateTime } from "../../format/format-time.ts";
import { hasForm, links } from "../../format/links.ts";
import { FAILED_STATES, STATE_LOOKS, countIn } from "../../format/state-look.ts";
import { Button } from "../../ui/button.tsx";
import { type Column, DataTable } from "../../ui/data-table.tsx";
import { Checkbox } from "../../ui/field.tsx";
import { JobProgressBar } from "../../ui/job-progress-bar.tsx";
import { useShortcuts } from "../../ui/keyboard/use-shortcuts.ts";
import { StateBadge } from "../../ui/state-badge.tsx";
import { DurationText, TimeAgo } from "../../ui/time-text.tsx";
import { NameLink } from "../../ui/text-link.tsx";
import { ProcessLink } from "../process/process-link.tsx";
import { useCanRunAgain } from "../role-gate.tsx";
import { AbortButton } from "../run/run-controls.tsx";
import { RunTags } from "./run-tags.tsx";

const OWNER: Column<RunSummary> = {
  label: "Owner",
  render: ({ owner }) => (
    <Link className="hover:underline" to={links.runs({ owner })}>
      {owner}
    </Link>
  ),
};

const NAME: readonly Column<RunSummary>[] = [
  { label: "State", render: ({ state }) => <StateBadge state={state} /> },
  { label: "Run", render: (run) => <RunName run={run} /> },
];

const PROCESS: Column<RunSummary> = { label: "Network / tool", render: (run) => <ProcessLink run={run} /> };

const PROGRESS: readonly Column<RunSummary>[] = [
  { label: "Progress", className: "md:w-56", render: (run) => <RunProgress run={run} /> },
  { label: "Started", render: (run) => <TimeAgo time={run.start_time ?? run.created_at} /> },
  {
    label: "Duration",
    number: true,
    render: (run) => <DurationText start={run.start_time} end={run.end_time} durationMs={run.duration_ms} />,
  },
];

interface RunTableProps {
  readonly runs: readonly RunSummary[];
  readonly caption: string;
  /** False to omit the process, if all runs have the same one. */
  readonly showProcess?: boolean;
  /** The button of each row for choosing one run. */
  readonly choice?: RunChoice | undefined;
  /** The selection of several runs by a checkbox in each row, or `x` for the focused row. */
  readonly selection?: RunSelection | undefined;
}

interface RunSelection {
  readonly ids: ReadonlySet<string>;
  readonly toggle: (runId: string, isRange: boolean) => void;
}

export interface RunChoice {
  readonly label: string;
  /** Runs that cannot be selected. */
  readonly except: readonly string[];
  readonly choose: (runId: string) => void;
}

/** Runs with their live state, newest first as the server orders them. */
export function RunTable({ runs, caption, showProcess = true, choice, selection }: RunTableProps) {
  useShortcuts({ "row.select": selection && (() => toggleFocused(selection)) });
  const showOwner = new Set(runs.map(({ owner }) => owner)).size > 1;
  return (
    <DataTable
      caption={caption}
      columns={[
        ...(selection === undefined ? [] : [selectColumn(selection)]),
        ...NAME,
        ...(showProcess ? [PROCESS] : []),
        ...(showOwner ? [OWNER] : []),
        ...PROGRESS,
        {
          label: "Actions",
          hidden: true,
          className: "text-right",
          render: (run) => <RunAction run={run} choice={choice} />,
        },
      ]}
      rows={runs}
      keyOf={(run) => run.run_id}
      attributesOf={(run) => ({
        "data-run": run.run_id,
        className: `relative ${selection?.ids.has(run.run_id) === true ? "bg-accent-soft" : ""}`,
      })}
    />
  );
}

function selectColumn(selection: RunSelection): Column<RunSummary> {
  return {
    label: "Select",
    hidden: true,
    className: "w-0 max-md:absolute! max-md:top-1 max-md:right-0 max-md:w-auto max-md:p-0!",
    render: (run) => <SelectBox run={run} selection={selection} />,
  };
}

function toggleFocused({ toggle }: RunSelection): void {
  const row = document.activeElement?.closest<HTMLElement>("tr[data-run]");
  if (row?.dataset["run"] !== undefined) toggle(row.dataset["run"], false);
}

function RunName({ run }: { readonly run: RunSummary }) {
  return (
    <div className="min-w-0 wrap-anywhere">
      <NameLink to={links.run(run.run_id)} title={run.run_id}>
        {run.name}
      </NameLink>
      {run.pinned && <span className="ml-1.5 text-small text-soft">pinned</span>}
      {run.archived && <span className="ml-1.5 text-small text-soft">archived</span>}
      {Object.keys(run.tags).length > 0 && (
        <div className="mt-0.5">
          <RunTags tags={run.tags} most={4} />
        </div>
      )}
    </div>
  );
}

function RunAction({ run, choice }: { readonly run: RunSummary; readonly choice: RunChoice | undefined }) {
  if (choice !== undefined) return <ChoiceButton run={run} choice={choice} />;
  return STATE_LOOKS[run.state].final ? <AgainLink run={run} /> : <AbortButton run={run} small />;
}

/** The whole cell is the target; Shift extends the selection. */
function SelectBox({ run, selection }: { readonly run: RunSummary; readonly selection: RunSelection }) {
  return (
    <label className="flex size-6 cursor-pointer items-center justify-center max-md:size-11">
      <Checkbox
        className="size-4"
        aria-label={`Select ${run.name}, created ${formatDateTime(run.created_at)}`}
        checked={selection.ids.has(run.run_id)}
        onChange={(event) =>
          selection.toggle(run.run_id, event.nativeEvent instanceof MouseEvent && event.nativeEvent.shiftKey)
        }
      />
    </label>
  );
}

function RunProgress({ run }: { readonly run: RunSummary }) {
  const failed = countIn(run.job_counts, FAILED_STATES);
  return (
    <div className="w-full max-w-56">
      <JobProgressBar counts={run.job_counts} total={run.progress.jobs_total} className="h-1.5" />
      <div className="mt-1 flex flex-wrap gap-x-2 text-small text-soft tabular-nums">
        <SucceededJobs run={run} />
        {failed > 0 && <span className="text-failed">{numberText(failed)} failed</span>}
      </div>
    </div>
  );
}

function ChoiceButton({ run, choice }: { readonly run: RunSummary; readonly choice: RunChoice }) {
  if (choice.except.includes(run.run_id)) return null;
  return (
    <Button
      small
      aria-label={`${choice.label}: ${run.name}, created ${formatDateTime(run.created_at)}`}
      onClick={() => choice.choose(run.run_id)}
    >
      {choice.label}
    </Button>
  );
}

function AgainLink({ run }: { readonly run: RunSummary }) {
  const canRun = useCanRunAgain(run);
  if (!canRun || !hasForm(run)) return null;
  return (
    <Link className="btn btn-small" to={links.runAgain(run)} aria-label={`Run again: ${run.name}`}>
      Run again
    </Link>
  );
}

/** `3 of 6 jobs succeeded`: the first number does not include failed and aborted jobs. */
export function SucceededJobs({ run }: { readonly run: Pick<RunSummary, "job_counts" | "progress"> }) {
  const { jobs_total: total, jobs_total_is_final: isFinal } = run.progress;
  return (
    <span>
      {numberText(run.job_counts.COMPLETE ?? 0)} of {numberText(total)}
      {isFinal ? "" : "+"} {pluralOf("job", total)} succeeded
    </span>
  );
}
