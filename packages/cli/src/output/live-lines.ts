import { stripVTControlCharacters } from "node:util";
import type { RunSnapshot } from "@weft/engine/document/read-run-snapshot.ts";
import { isFinal } from "@weft/shared/records/state-names.ts";
import { formatWholeSeconds } from "@weft/shared/text/format-duration.ts";
import { formatTimeLeft } from "@weft/shared/text/format-time-left.ts";

export interface Screen {
  readonly columns: number;
  readonly rows: number;
  readonly hasColor: boolean;
}

interface Step {
  readonly label: string;
  /** Number of jobs that ended successfully. */
  readonly done: number;
  readonly failed: number;
  readonly aborted: number;
  readonly running: number;
  /** `6`; while the number of jobs is not known, `6+` or `?`. */
  readonly total: string;
}

/** Number of lines around the steps: the run, the omitted steps, and the slowest job. */
const OTHER_LINES = 4;
const MAX_STEPS = 20;

/** Live view of a run in a terminal: its state, its steps with their jobs, and the last line of its slowest job. */
export function liveLines(snapshot: RunSnapshot, nowMs: number, screen: Screen): readonly string[] {
  const { run, slowest } = snapshot;
  const steps = snapshot.steps.map(toStep);
  const room = Math.max(1, Math.min(MAX_STEPS, screen.rows - OTHER_LINES));
  const shown = pick(steps, room);
  const labels = Math.min(widest(shown.map(({ label }) => label)), Math.floor(screen.columns / 2));
  const widths = { labels, counts: widest(shown.map(countText)) };
  const hidden = steps.length - shown.length;
  const lines: readonly Line[] = [
    headline(snapshot, nowMs),
    ...shown.map((step) => stepLine(step, widths)),
    ...(hidden === 0 ? [] : [{ text: `  … ${hidden} more steps`, color: DIM }]),
    ...(slowest === undefined || isFinal(run.state) ? [] : [slowestLine(slowest, nowMs)]),
  ];
  return lines.map(({ text, color }) =>
    painted(clipped(text, screen.columns - 1), screen.hasColor ? color : undefined),
  );
}

interface Line {
  readonly text: string;
  readonly color: number | undefined;
}

const DIM = 2;
const RED = 31;
const GREEN = 32;
const CYAN = 36;

/** Words for states that are not plain words already. */
const STATE_WORDS: Partial<Record<RunSnapshot["run"]["state"], string>> = {
  INITIALIZING: "starting",
  EXECUTOR_ERROR: "failed",
  SYSTEM_ERROR: "failed",
  CANCELING: "aborting",
  CANCELED: "aborted",
};

function headline({ run, left }: RunSnapshot, nowMs: number): Line {
  const time = formatWholeSeconds((run.endedMs ?? nowMs) - run.createdMs);
  const state = STATE_WORDS[run.state] ?? run.state.toLowerCase();
  const rest = left === null || isFinal(run.state) ? "" : `, ${formatTimeLeft(left)} left`;
  const color = run.state === "COMPLETE" ? GREEN : isFinal(run.state) ? RED : undefined;
  return { text: `${run.name}: ${state}, ${time}${rest}`, color };
}

function toStep({ step, label, jobsTotal, jobsTotalIsFinal, jobCounts }: RunSnapshot["steps"][number]): Step {
  const count = (state: keyof typeof jobCounts) => jobCounts[state] ?? 0;
  return {
    label: label ?? (step === "" ? "job" : step),
    done: count("COMPLETE"),
    failed: count("EXECUTOR_ERROR") + count("SYSTEM_ERROR"),
    aborted: count("CANCELED"),
    running: count("RUNNING") + count("INITIALIZING"),
    total: jobsTotalIsFinal ? String(jobsTotal) : jobsTotal === 0 ? "?" : `${jobsTotal}+`,
  };
}

/** The steps to show, in their order; if there are too many, running and failed steps first, then their neighbors. */
function pick(steps: readonly Step[], room: number): readonly Step[] {
  if (steps.length <= room) return steps;
  const isBusy = (step: Step) => step.running + step.failed > 0;
  const first = Math.max(0, steps.findIndex(isBusy));
  const ranked = [
    ...steps.filter(isBusy),
    ...steps.slice(first).filter((step) => !isBusy(step)),
    ...steps.slice(0, first).toReversed(),
  ];
  const chosen = new Set(ranked.slice(0, room));
  return steps.filter((step) => chosen.has(step));
}

function stepLine(step: Step, widths: { readonly labels: number; readonly counts: number }): Line {
  const { label, failed, aborted, running } = step;
  const { mark, color } = markOf(step);
  const notes = [
    running > 0 ? `${running} running` : "",
    failed > 0 ? `${failed} failed` : "",
    aborted > 0 ? `${aborted} aborted` : "",
  ].filter((note) => note !== "");
  const cells = [clipped(label, widths.labels).padEnd(widths.labels), countText(step).padEnd(widths.counts)];
  return { text: `${mark} ${cells.join("  ")}  ${notes.join(", ")}`.trimEnd(), color };
}

function countText({ done, total }: Step): string {
  return `${done}/${total}`;
}

function widest(texts: readonly string[]): number {
  return Math.max(0, ...texts.map((text) => text.length));
}

function markOf({ done, failed, aborted, running, total }: Step): { readonly mark: string; readonly color: number } {
  if (failed + aborted > 0) return { mark: "✗", color: RED };
  if (total === String(done)) return { mark: "✓", color: GREEN };
  return running > 0 ? { mark: "●", color: CYAN } : { mark: "·", color: DIM };
}

function slowestLine(
  { jobId, sampleId, startedMs, lastLine = "" }: NonNullable<RunSnapshot["slowest"]>,
  nowMs: number,
): Line {
  const sample = sampleId === null ? "" : ` (${sampleId})`;
  const text = plainText(lastLine);
  return {
    text: `  ${jobId}${sample} ${formatWholeSeconds(nowMs - startedMs)}${text === "" ? "" : ` │ ${text}`}`,
    color: DIM,
  };
}

/** The last of the parts that overwrite each other, without control sequences that could change the terminal. */
function plainText(line: string): string {
  const parts = line.split("\r").filter((part) => part.trim() !== "");
  return stripVTControlCharacters(parts.at(-1) ?? "").trim();
}

function clipped(text: string, width: number): string {
  const clean = [...text.replaceAll(/[\p{Cc}\p{Cf}]/gu, " ")];
  return clean.length <= width ? clean.join("") : `${clean.slice(0, Math.max(0, width - 1)).join("")}…`;
}

function painted(text: string, color: number | undefined): string {
  return color === undefined ? text : `\u001B[${color}m${text}\u001B[0m`;
}
