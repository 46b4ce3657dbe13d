const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/**
 * How long it is until the expected end of a run, in steps so coarse that the words do not change with every reckoning:
 * `less than a minute left`, `about 4 min left`, `about 2 h 20 min left`, `about 3 d left`.
 */
export function formatTimeLeft(eta: string, nowMs: number): string {
  const leftMs = Date.parse(eta) - nowMs;
  if (leftMs < MINUTE_MS) return "less than a minute left";
  if (leftMs < HOUR_MS - MINUTE_MS) return `about ${Math.ceil(leftMs / MINUTE_MS)} min left`;
  const tens = Math.round(leftMs / (10 * MINUTE_MS));
  if (tens < 6 * 24) return `about ${hoursText(tens)} left`;
  return `about ${Math.round(leftMs / (24 * HOUR_MS))} d left`;
}

function hoursText(tensOfMinutes: number): string {
  const [hours, minutes] = [Math.floor(tensOfMinutes / 6), (tensOfMinutes % 6) * 10];
  return minutes === 0 ? `${hours} h` : `${hours} h ${minutes} min`;
}
