import type { Estimate } from "../records/insight-record.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/**
 * The time left, rounded so coarsely that the text does not change with every estimate, with bounds if they are
 * informative: `less than a minute`, `about 4 min`, `about 12 min, 8–20`, `about 2 h 20 min, 1 h 30 min–4 h`.
 */
export function formatTimeLeft({ expected_ms, low_ms, high_ms }: Estimate): string {
  if (high_ms < MINUTE_MS) return "less than a minute";
  const [expected, low, high] = [expected_ms, low_ms, high_ms].map(coarseTime);
  if (low === high) return `about ${expected}`;
  return `about ${expected}, ${withoutSameUnit(low ?? "", high ?? "")}–${high}`;
}

/** `8` instead of `8 min` if `20 min` follows. */
function withoutSameUnit(low: string, high: string): string {
  const [number, unit, ...rest] = low.split(" ");
  const [, highUnit, ...highRest] = high.split(" ");
  return unit === highUnit && rest.length === 0 && highRest.length === 0 ? (number ?? "") : low;
}

function coarseTime(ms: number): string {
  if (ms < MINUTE_MS) return "1 min";
  if (ms < HOUR_MS - MINUTE_MS) return `${Math.ceil(ms / MINUTE_MS)} min`;
  const tens = Math.round(ms / (10 * MINUTE_MS));
  if (tens < 6 * 24) return hoursText(tens);
  return `${Math.round(ms / DAY_MS)} d`;
}

function hoursText(tensOfMinutes: number): string {
  const [hours, minutes] = [Math.floor(tensOfMinutes / 6), (tensOfMinutes % 6) * 10];
  return minutes === 0 ? `${hours} h` : `${hours} h ${minutes} min`;
}

/** Adjusts an estimate for the time that has passed since, without a new request. */
export function laterEstimate({ expected_ms, low_ms, high_ms }: Estimate, passedMs: number): Estimate {
  const left = (ms: number) => Math.max(0, ms - Math.max(0, passedMs));
  return { expected_ms: left(expected_ms), low_ms: left(low_ms), high_ms: left(high_ms) };
}
