import { formatDuration, formatWholeSeconds } from "@weft/shared/text/format-duration.ts";
import { useSyncExternalStore } from "react";
import { formatDateTime, formatRelativeTime } from "../format/format-time.ts";

const TICK_MS = 1000;
const listeners = new Set<() => void>();
let nowMs = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;

/** A moment relative to now; the exact time on hover. */
export function TimeAgo({ time }: { readonly time: string }) {
  const nowMs = useNow();
  return (
    <time dateTime={time} title={`${formatDateTime(time)} (${time})`} className="whitespace-nowrap">
      {formatRelativeTime(time, nowMs)}
    </time>
  );
}

interface DurationTextProps {
  readonly start: string | null;
  readonly end: string | null;
  readonly durationMs: number | null;
}

/** A duration, which counts up until the end is known. */
export function DurationText({ start, end, durationMs }: DurationTextProps) {
  if (start === null) return <span className="text-soft">not started</span>;
  const startMs = Date.parse(start);
  return (
    <span className="whitespace-nowrap tabular-nums">
      {end === null ? <TimeSince startMs={startMs} /> : formatDuration(durationMs ?? Date.parse(end) - startMs)}
    </span>
  );
}

function TimeSince({ startMs }: { readonly startMs: number }) {
  return formatWholeSeconds(useNow() - startMs);
}

/** The current time, updated once a second by one timer for the whole page. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => nowMs);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(tick, TICK_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

function tick(): void {
  nowMs = Date.now();
  for (const listener of listeners) listener();
}
