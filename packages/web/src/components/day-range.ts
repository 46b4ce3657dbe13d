/** Days as `2026-11-23` in the browser's time zone; an invalid day counts as none. */
interface DayRange {
  readonly from: string;
  readonly to: string;
}

/** The range from the beginning of the first day to the end of the last one, in the API's format. */
export function dayRange({ from, to }: DayRange): { readonly since?: string; readonly until?: string } {
  const [since, until] = [startOf(from, 0), startOf(to, 1)];
  return { ...(since === undefined ? {} : { since }), ...(until === undefined ? {} : { until }) };
}

function startOf(day: string, later: number): string | undefined {
  const [, year, month, date] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(day) ?? [];
  if (year === undefined) return undefined;
  const start = new Date(Number(year), Number(month) - 1, Number(date));
  // A day such as 31 February would become another one.
  if (start.getMonth() !== Number(month) - 1 || start.getDate() !== Number(date)) return undefined;
  start.setDate(start.getDate() + later);
  return start.toISOString();
}
