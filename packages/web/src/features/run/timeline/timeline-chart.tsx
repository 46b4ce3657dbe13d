import { numberText } from "@weft/shared/text/count-text.ts";
import { formatDuration } from "@weft/shared/text/format-duration.ts";
import { type KeyboardEvent, type MouseEvent, useRef, useState } from "react";
import type { JobTimes } from "../../../api/queries/all-jobs.ts";
import { formatBytes } from "../../../format/format-bytes.ts";
import { STATE_LOOKS } from "../../../format/state-look.ts";
import { useFocusShortcuts, useShortcuts } from "../../../ui/keyboard/use-shortcuts.ts";
import { usePainting } from "../../../ui/use-painting.ts";
import { ViewToolbar } from "../../../ui/view-toolbar.tsx";
import { paintTimeline } from "./paint-timeline.ts";
import { wholeView, placeOf, useTimeView, type Span, type Box, type TimeViewControl } from "./time-view.ts";
import type { TimelineRows } from "./timeline-jobs.ts";

interface TimelineChartProps {
  readonly rows: TimelineRows;
  readonly nowMs: number;
  /** Rows of the jobs of the critical path. */
  readonly path: readonly number[];
  /** Why a job waited, if known. */
  readonly whyWaited: (job: JobTimes) => string | undefined;
  readonly onOpen: (jobId: string) => void;
  /** The time span in the URL. */
  readonly span: Span | undefined;
  readonly onSpan: (span: Span | undefined) => void;
}

interface Pointed {
  readonly job: JobTimes;
  readonly x: number;
  readonly y: number;
  /** Width of the canvas; right of its middle, the tooltip is on the left. */
  readonly width: number;
}

/** The bars of all jobs on one canvas; a table view has the same data. */
export function TimelineChart({ rows, nowMs, path, whyWaited, onOpen, span, onSpan }: TimelineChartProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const toMs = Math.max(rows.toMs, nowMs);
  const whole = wholeView({ fromMs: rows.fromMs, toMs, rows: rows.rows.length });
  const control = useTimeView(canvas, { whole, span, onSpan });
  const { pointed, handlers } = usePointedJob(rows, control, onOpen);
  const onKeyDown = useChartKeys(control);
  usePainting(canvas, (element) => paintTimeline(element, { rows, view: control.view, nowMs, path }));
  return (
    <div
      role="group"
      aria-label="Timeline. Use the arrow keys to pan, plus and minus to zoom, 0 to reset. A table view has the same data."
      tabIndex={0}
      onKeyDown={onKeyDown}
      className="card relative overflow-clip"
    >
      <canvas
        ref={canvas}
        role="img"
        aria-label={`Bars of ${numberText(rows.rows.length)} jobs in ${rows.steps.length} steps`}
        className="block h-[max(24rem,calc(100dvh-19rem-var(--views,0rem)))] w-full cursor-crosshair touch-none"
        {...handlers}
      />
      <ViewToolbar
        isBelow
        tools={[
          { label: "Zoom in", icon: "plus", act: () => control.zoomBy(1) },
          { label: "Zoom out", icon: "minus", act: () => control.zoomBy(-1) },
          { label: "Reset zoom", icon: "fit", act: control.reset },
        ]}
      />
      {control.brush !== undefined && <Brush box={control.brush} />}
      {pointed !== undefined && <Tooltip pointed={pointed} nowMs={nowMs} why={whyWaited(pointed.job)} />}
    </div>
  );
}

/** The job under the pointer; a click opens it. */
function usePointedJob({ rows }: TimelineRows, control: TimeViewControl, onOpen: TimelineChartProps["onOpen"]) {
  const [pointed, setPointed] = useState<Pointed | undefined>(undefined);
  const jobAt = ({ nativeEvent, currentTarget }: MouseEvent<HTMLCanvasElement>): JobTimes | undefined =>
    rows[Math.floor(placeOf(currentTarget, control.view, nativeEvent.offsetX, nativeEvent.offsetY).row)];
  const handlers = {
    onMouseMove: (event: MouseEvent<HTMLCanvasElement>): void => {
      const job = event.buttons === 0 ? jobAt(event) : undefined;
      const { offsetX: x, offsetY: y } = event.nativeEvent;
      setPointed(job && { job, x, y, width: event.currentTarget.clientWidth });
    },
    onMouseLeave: (): void => setPointed(undefined),
    onClick: (event: MouseEvent<HTMLCanvasElement>): void => {
      const job = jobAt(event);
      if (job !== undefined) onOpen(job.id);
    },
  };
  return { pointed, handlers };
}

function useChartKeys(control: TimeViewControl): (event: KeyboardEvent) => void {
  useShortcuts({
    "timeline.zoomIn": () => control.zoomBy(1),
    "timeline.zoomOut": () => control.zoomBy(-1),
    "timeline.reset": control.reset,
  });
  return useFocusShortcuts({
    "timeline.left": () => control.panBy(-1, 0),
    "timeline.right": () => control.panBy(1, 0),
    "timeline.up": () => control.panBy(0, -1),
    "timeline.down": () => control.panBy(0, 1),
  });
}

function Brush({ box }: { readonly box: Box }) {
  return (
    <div
      className="pointer-events-none absolute border border-accent bg-accent/15"
      style={{ left: box.left, top: box.top, width: box.right - box.left, height: box.bottom - box.top }}
    />
  );
}

interface TooltipProps {
  readonly pointed: Pointed;
  readonly nowMs: number;
  readonly why: string | undefined;
}

function Tooltip({ pointed, nowMs, why }: TooltipProps) {
  const { job, x, y, width } = pointed;
  const startedMs = job.startedMs;
  const waitedMs = (startedMs ?? job.endedMs ?? nowMs) - job.queuedMs;
  return (
    <div
      role="tooltip"
      className="popup pointer-events-none absolute z-10 max-w-80 px-3 py-2 text-small"
      style={{ top: y + 14, ...(x > width / 2 ? { right: width - x + 10 } : { left: x + 10 }) }}
    >
      <div className="font-semibold wrap-anywhere">{job.id}</div>
      {job.sample !== null && <div>{job.sample}</div>}
      <div className="text-soft">
        {STATE_LOOKS[job.state].word}; waited {formatDuration(Math.max(0, waitedMs))}
        {why !== undefined && ` ${why}`}
        {startedMs !== undefined && `, ran ${formatDuration(Math.max(0, (job.endedMs ?? nowMs) - startedMs))}`}
      </div>
      {job.rssBytes !== undefined && <div className="text-soft">Peak memory {formatBytes(job.rssBytes)}</div>}
    </div>
  );
}
