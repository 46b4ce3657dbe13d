import { useQueryClient } from "@tanstack/react-query";
import type { Run } from "@weft/shared/records/run-record.ts";
import type { JobState } from "@weft/shared/records/state.ts";
import { type KeyboardEvent, useRef, useState } from "react";
import { useNavigate } from "react-router-dom";
import { jobListQuery } from "../../../api/queries/job-queries.ts";
import { useIsPast } from "../../../components/run/use-moment.ts";
import { links } from "../../../format/links.ts";
import { STATE_LOOKS } from "../../../format/state-look.ts";
import { Button } from "../../../ui/button.tsx";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { Checkbox } from "../../../ui/field.tsx";
import { type GridCell, type GridCursor } from "../../../ui/grid/grid-cursor.ts";
import { type GridColumn, VirtualGrid } from "../../../ui/grid/virtual-grid.tsx";
import { StateIcon, TONES } from "../../../ui/state-badge.tsx";
import { showError } from "../../../ui/toast.tsx";
import { useSearchParam } from "../../../ui/use-search-param.ts";
import { type MatrixRow, type Selection, toggled, withAll, withRange } from "./arrange-matrix.ts";

interface MatrixGridProps {
  readonly run: Run;
  readonly steps: readonly string[];
  readonly rows: readonly MatrixRow[];
  readonly selection: Selection;
  readonly onSelection: (selection: Selection) => void;
}

const ROW_PX = 32;
const SAMPLE_PX = 190;

/** The states by sample and step. Space selects samples, Enter opens a job. */
export function MatrixGrid({ run, steps, rows, selection, onSelection }: MatrixGridProps) {
  const names = rows.map(({ sample }) => sample);
  const selecting = useRowSelection({ names, selection, onSelection });
  const { open, renderCell } = useMatrixCells({ run, steps, rows, selection, select: selecting.select });
  if (rows.length === 0) return <EmptyState text="No samples match the filter." />;
  return (
    <div
      className="card overflow-hidden"
      style={{ height: `min(100vh - 15rem, ${36 + (rows.length + 1) * ROW_PX}px)` }}
    >
      <VirtualGrid
        className="h-full"
        label="Samples"
        rows={rows.length}
        columns={columnsOf(run, steps)}
        pinned={1}
        rowPx={ROW_PX}
        cursor={selecting.cursor}
        onCursor={selecting.onCursor}
        isRowSelected={selecting.isSelected}
        renderCell={renderCell}
        onKey={selecting.onKey}
        onOpen={open}
      />
    </div>
  );
}

interface MatrixCellParts extends Pick<MatrixGridProps, "run" | "steps" | "rows" | "selection"> {
  readonly select: (row: number, extend: boolean) => void;
}

/** Content of the cells, and the action of Enter or a click. */
function useMatrixCells({ run, steps, rows, selection, select }: MatrixCellParts) {
  const openJob = useOpenJob(run.run_id);
  const isFinal = STATE_LOOKS[run.state].final;
  const isPast = useIsPast(); // no actions on samples in the past
  const open = ({ row, column }: GridCell): void => {
    const [sample, step] = [rows[row], steps[column - 1]];
    if (sample === undefined) return;
    if (step === undefined) return isPast ? undefined : select(row, false);
    if (sample.states[column - 1] !== undefined) void openJob(sample.sample, step);
  };
  const renderCell = (row: number, column: number) => {
    const sample = rows[row];
    if (sample === undefined) return null;
    if (column > 0)
      return <StateCell state={sample.states[column - 1]} isFinal={isFinal} onOpen={() => open({ row, column })} />;
    if (isPast) return <span className="truncate font-medium">{sample.sample}</span>;
    return (
      <SampleCell
        name={sample.sample}
        isSelected={selection.has(sample.sample)}
        onSelect={(extend) => select(row, extend)}
      />
    );
  };
  return { open, renderCell };
}

function columnsOf(run: Run, steps: readonly string[]): readonly GridColumn[] {
  const labels = new Map(run.step_counts.map(({ step, label }) => [step, label ?? step]));
  const widthOf = (label: string): number => Math.max(120, Math.min(220, 28 + label.length * 7));
  return [
    { id: "", label: "Sample", width: SAMPLE_PX },
    ...steps.map((step) => {
      const label = labels.get(step) ?? step;
      return { id: step, label, width: widthOf(label) };
    }),
  ];
}

interface SampleCellProps {
  readonly name: string;
  readonly isSelected: boolean;
  /** Selects the row; with `extend`, all rows since the last selected one. */
  readonly onSelect: (extend: boolean) => void;
}

function SampleCell({ name, isSelected, onSelect }: SampleCellProps) {
  return (
    <label className="flex min-w-0 flex-1 cursor-pointer items-center gap-2 self-stretch" title={name}>
      <Checkbox
        className="size-4"
        tabIndex={-1}
        aria-label={`Select ${name}`}
        checked={isSelected}
        // Only click events contain the Shift key.
        onClick={(event) => onSelect(event.shiftKey)}
        readOnly
      />
      <span className="truncate font-medium">{name}</span>
    </label>
  );
}

interface StateCellProps {
  readonly state: JobState | undefined;
  readonly isFinal: boolean;
  readonly onOpen: () => void;
}

function StateCell({ state, isFinal, onOpen }: StateCellProps) {
  if (state === undefined) return <span className="text-small text-soft">{isFinal ? "–" : "not yet"}</span>;
  const { tone, word } = STATE_LOOKS[state];
  return (
    <Button
      look="bare"
      tabIndex={-1}
      className={`flex min-w-0 flex-1 items-center gap-1.5 self-stretch text-left text-small hover:underline ${TONES[tone].text}`}
      onClick={onOpen}
    >
      <StateIcon state={state} className="size-3.5" still />
      <span className="truncate">{word}</span>
    </Button>
  );
}

interface RowSelectionParts {
  /** The visible rows. */
  readonly names: readonly string[];
  readonly selection: Selection;
  readonly onSelection: (selection: Selection) => void;
}

/** Selection by checkbox, Space, and with Shift by arrow keys and clicks. */
function useRowSelection({ names, selection, onSelection }: RowSelectionParts) {
  const [cursor, setCursor] = useState<GridCursor | undefined>(undefined);
  const last = useRef(0);
  const select = (row: number, extend: boolean): void => {
    const name = names[row];
    if (name === undefined) return;
    onSelection(extend ? withRange(selection, names, last.current, row) : toggled(selection, name));
    last.current = row;
  };
  const onCursor = (next: GridCursor): void => {
    const { active, anchor } = next;
    if (active.row !== anchor.row) onSelection(withRange(selection, names, anchor.row, active.row));
    setCursor(next);
  };
  const onKey = (event: KeyboardEvent): boolean => {
    if (event.key === " " && cursor !== undefined) select(cursor.active.row, event.shiftKey);
    else if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "a")
      onSelection(withAll(selection, names));
    else if (event.key === "Escape" && selection.size > 0) onSelection(new Set());
    else return false;
    return true;
  };
  const isSelected = (row: number): boolean => selection.has(names[row] ?? "");
  // A filter may have reduced the rows.
  const isThere = cursor !== undefined && cursor.active.row < names.length && cursor.anchor.row < names.length;
  return { cursor: isThere ? cursor : undefined, onCursor, onKey, select, isSelected };
}

/** A sample may have several jobs in a step: opens the most important one. */
const MAX_JOBS = 100;

/** Finds the job of a sample in a step and opens it. */
function useOpenJob(runId: string): (sample: string, step: string) => Promise<void> {
  const cache = useQueryClient();
  const navigate = useNavigate();
  const [at] = useSearchParam("at");
  return async (sample, step) => {
    try {
      const { jobs } = await cache.fetchQuery(jobListQuery(runId, { sample, step, page_size: MAX_JOBS }));
      const found = jobs.toSorted((a, b) => weightOf(b.state) - weightOf(a.state))[0];
      if (found !== undefined) await navigate(links.view({ tab: "jobs", job: found.job_id, at }));
    } catch (error) {
      showError(`The job could not be found: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
}

function weightOf(state: JobState): number {
  const { tone, final } = STATE_LOOKS[state];
  return tone === "failed" ? 3 : tone === "preempted" || tone === "canceled" ? 2 : final ? 0 : 1;
}
