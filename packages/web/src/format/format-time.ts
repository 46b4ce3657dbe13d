const STEPS: readonly { readonly unit: Intl.RelativeTimeFormatUnit; readonly ms: number }[] = [
  { unit: "day", ms: 86_400_000 },
  { unit: "hour", ms: 3_600_000 },
  { unit: "minute", ms: 60_000 },
];

const relative = new Intl.RelativeTimeFormat("en", { numeric: "always", style: "short" });

/** A time relative to now: `just now`, `5 min ago`, `2 h ago`; older than 30 days as a date. */
export function formatRelativeTime(time: string, nowMs: number): string {
  const elapsedMs = nowMs - Date.parse(time);
  if (Math.abs(elapsedMs) < 60_000) return elapsedMs < -5000 ? "in a moment" : "just now";
  if (elapsedMs > 30 * 86_400_000) return time.slice(0, 10);
  const step = STEPS.find(({ ms }) => Math.abs(elapsedMs) >= ms);
  return step === undefined ? "just now" : withoutDots(relative.format(-Math.trunc(elapsedMs / step.ms), step.unit));
}

/** Units as in durations: `5 min ago` instead of `5 min. ago`, and `h` instead of `hr.`. */
function withoutDots(text: string): string {
  return text.replace("min.", "min").replace("hr.", "h");
}

/** The clock time of an event with milliseconds, in the viewer's zone: `14:03:09.120`. */
export function formatClockTime(time: string): string {
  const date = new Date(time);
  const parts = [date.getHours(), date.getMinutes(), date.getSeconds()].map((part) => String(part).padStart(2, "0"));
  return `${parts.join(":")}.${String(date.getMilliseconds()).padStart(3, "0")}`;
}

/** Date and time in the viewer's zone: `2026-11-21 14:03:09`. */
export function formatDateTime(time: string): string {
  const date = new Date(time);
  const day = [date.getFullYear(), date.getMonth() + 1, date.getDate()].map((part) => String(part).padStart(2, "0"));
  return `${day.join("-")} ${formatClockTime(time).slice(0, 8)}`;
}
