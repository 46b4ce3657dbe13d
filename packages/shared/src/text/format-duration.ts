/** A duration: `340 ms`, `4.2 s`, `1 m 05 s`, `1 h 02 m 03 s`, `2 d 01 h`. */
export function formatDuration(durationMs: number): string {
  if (durationMs < 1000) return `${Math.round(durationMs)} ms`;
  if (durationMs < 10_000) return `${(Math.floor(durationMs / 100) / 10).toFixed(1)} s`;
  return formatWholeSeconds(durationMs);
}

/** Like formatDuration, but without fractions, for a clock that ticks once a second. */
export function formatWholeSeconds(durationMs: number): string {
  const total = Math.max(0, Math.floor(durationMs / 1000));
  const [days, hours, minutes, seconds] = [
    Math.floor(total / 86_400),
    Math.floor(total / 3600) % 24,
    Math.floor(total / 60) % 60,
    total % 60,
  ];
  if (days > 0) return `${days} d ${twoDigits(hours)} h`;
  if (hours > 0) return `${hours} h ${twoDigits(minutes)} m ${twoDigits(seconds)} s`;
  if (minutes > 0) return `${minutes} m ${twoDigits(seconds)} s`;
  return `${seconds} s`;
}

function twoDigits(value: number): string {
  return String(value).padStart(2, "0");
}
