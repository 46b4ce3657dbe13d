/** The beginning of a day (`2026-11-21`) in the viewer's time zone, in the API's format; "" for anything else. */
export function dayStart(day: string): string {
  const [, year, month, date] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(day) ?? [];
  const start = new Date(Number(year), Number(month) - 1, Number(date));
  return Number.isNaN(start.getTime()) ? "" : start.toISOString();
}
