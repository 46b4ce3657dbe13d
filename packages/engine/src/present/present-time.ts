/** Formats milliseconds since 1970 as the API writes times. */
export function timeText(ms: number): string {
  return new Date(ms).toISOString();
}

export function nullableTime(ms: number | null): string | null {
  return ms === null ? null : timeText(ms);
}
