import type { JobTimes } from "../../../api/all-jobs.ts";
import type { StateTone } from "../../../format/state-look.ts";
import { STATE_LOOKS } from "../../../format/state-look.ts";

/** The kind of a bar segment. If several share a pixel, the later one in PIECE_KINDS is drawn. */
export type PieceKind = (typeof PIECE_KINDS)[number];

export const PIECE_KINDS = ["waiting", "success", "collecting", "running", "canceled", "preempted", "failed"] as const;

/** Label and color of each kind. */
export const PIECE_LOOKS: Readonly<Record<PieceKind, { readonly word: string; readonly tone: StateTone }>> = {
  waiting: { word: "Queued", tone: "queued" },
  running: { word: "Running", tone: "running" },
  collecting: { word: "Collecting outputs", tone: "paused" },
  success: { word: "Succeeded", tone: "success" },
  failed: { word: "Failed", tone: "failed" },
  canceled: { word: "Aborted", tone: "canceled" },
  preempted: { word: "Preempted", tone: "preempted" },
};

export type VisitPiece = (kind: PieceKind, fromMs: number, toMs: number) => void;

/**
 * Visits the segments of a job's bar at `nowMs`: waiting, then running in the color of its state, then collecting.
 * Allocates no list, because a frame visits 100,000 jobs.
 */
export function visitSegments(job: JobTimes, nowMs: number, visit: VisitPiece): void {
  const endMs = job.endedMs ?? Math.max(nowMs, job.startedMs ?? job.queuedMs);
  const startMs = job.startedMs ?? endMs;
  const exitMs = Math.min(job.exitedMs ?? endMs, endMs);
  if (startMs > job.queuedMs) visit("waiting", job.queuedMs, startMs);
  if (exitMs > startMs || job.startedMs !== undefined) visit(kindOf(job), startMs, exitMs);
  if (endMs > exitMs) visit("collecting", exitMs, endMs);
}

function kindOf({ state }: JobTimes): PieceKind {
  const { tone } = STATE_LOOKS[state];
  switch (tone) {
    case "queued":
    case "running":
    case "paused":
      return "running";
    default:
      return tone;
  }
}
