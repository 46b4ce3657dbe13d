import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { ServerLoad } from "@weft/shared/records/operations-record.ts";
import { numberText } from "@weft/shared/text/count-text.ts";
import { routeQuery } from "../../api/route-query.ts";
import { formatBytes } from "../../format/format-bytes.ts";
import { formatClockTime } from "../../format/format-time.ts";
import { Select } from "../../ui/field.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { TitledSection } from "../../ui/titled-section.tsx";
import { useSearchParam } from "../../ui/use-search-param.ts";

const HOURS = [1, 6, 24] as const;
const USUAL_HOURS = "6";

const STROKE = { strokeWidth: 1.5, vectorEffect: "non-scaling-stroke" } as const;

/** Cores, memory and jobs of the last hours. */
export function LoadTab() {
  const [hours, setHours] = useSearchParam("hours");
  const chosen = HOURS.find((each) => String(each) === hours) ?? Number(USUAL_HOURS);
  const load = useQuery({
    ...routeQuery("GET /api/server/load", { query: { hours: chosen } }),
    placeholderData: keepPreviousData,
    refetchInterval: 30_000,
  });
  return (
    <>
      <label className="mb-3 flex items-center gap-2 text-soft">
        Show the last
        <Select
          className="w-auto"
          value={String(chosen)}
          options={HOURS.map((each) => ({ id: String(each), label: each === 1 ? "hour" : `${each} hours` }))}
          onChoose={(id) => setHours(id === USUAL_HOURS ? "" : id)}
        />
      </label>
      <QueryView query={load}>{(data) => <Charts load={data} />}</QueryView>
    </>
  );
}

function Charts({ load }: { readonly load: ServerLoad }) {
  const fromMs = Date.parse(load.from);
  const timeOf = (index: number) => clockText(fromMs + index * load.interval_ms);
  const times = [0, load.jobs.length / 2, load.jobs.length].map(timeOf);
  return (
    <>
      <div className="grid gap-4 lg:grid-cols-2">
        {chartsOf(load).map((chart) => (
          <LoadChart key={chart.title} {...chart} times={times} timeOf={timeOf} />
        ))}
      </div>
      <p className="mt-3 text-soft">
        Averages over {Math.round(load.interval_ms / 1000)} s. Machine usage covers the time since this server started;
        jobs include those of earlier starts.
        {load.truncated && " Based on the latest 50,000 jobs."}
      </p>
    </>
  );
}

function chartsOf({
  jobs,
  host,
  cores,
  ram_bytes: ramBytes,
}: ServerLoad): readonly Omit<LoadChartProps, "times" | "timeOf">[] {
  const ofJobs = (label: string, name: keyof ServerLoad["jobs"][number]) => ({
    label,
    values: jobs.map((job) => job[name]),
  });
  const ofMachine = (name: "cores" | "ram_bytes") => ({
    label: "used by the machine",
    values: host.map((sample) => sample?.[name] ?? null),
  });
  const requested = "requested by jobs";
  return [
    { title: "Cores", area: ofJobs(requested, "cores"), line: ofMachine("cores"), capacity: cores, text: countText },
    {
      title: "Memory",
      area: ofJobs(requested, "ram_bytes"),
      line: ofMachine("ram_bytes"),
      capacity: ramBytes,
      text: formatBytes,
    },
    { title: "Running jobs", area: ofJobs("running", "running"), text: countText },
    { title: "Waiting jobs", area: ofJobs("waiting", "waiting"), text: countText },
  ];
}

function clockText(ms: number): string {
  return formatClockTime(new Date(ms).toISOString()).slice(0, 5);
}

function countText(value: number): string {
  return value < 10 ? String(Math.round(value * 10) / 10) : numberText(Math.round(value));
}

interface Series {
  readonly label: string;
  readonly values: readonly (number | null)[];
}

interface LoadChartProps {
  readonly title: string;
  readonly area: Series;
  /** A line that is drawn over the area. */
  readonly line?: Series;
  /** Capacity: the top of the scale, unless a value exceeds it. */
  readonly capacity?: number;
  readonly text: (value: number) => string;
  /** Below the left edge, the middle and the right edge. */
  readonly times: readonly string[];
  readonly timeOf: (index: number) => string;
}

/** A curve over the last hours, with the latest and the peak value as text. */
function LoadChart({ title, area, line, capacity, text, times, timeOf }: LoadChartProps) {
  const series = line === undefined ? [area] : [area, line];
  const top = scaleTop(
    series.flatMap(({ values }) => values),
    capacity,
  );
  const summary = series.map((each) => summaryOf(each, text, timeOf));
  return (
    <TitledSection
      title={title}
      card
      aside={<span className="text-small text-soft tabular-nums">Scale: 0 to {text(top)}</span>}
    >
      <svg
        viewBox="0 0 100 100"
        preserveAspectRatio="none"
        role="img"
        aria-label={`${title}: ${summary.join("; ")}`}
        className="block h-32 w-full rounded border border-line bg-sunken"
      >
        <path d={curvePath(area.values, top, true)} className="fill-accent/25" />
        <path d={curvePath(area.values, top, false)} className="fill-none stroke-accent" {...STROKE} />
        {line !== undefined && (
          <path
            d={curvePath(line.values, top, false)}
            className="fill-none stroke-ink"
            strokeDasharray="4 3"
            {...STROKE}
          />
        )}
      </svg>
      <div className="mt-1 flex justify-between text-caption text-soft tabular-nums" aria-hidden="true">
        {times.map((time) => (
          <span key={time}>{time}</span>
        ))}
      </div>
      <Legend summary={summary} />
    </TitledSection>
  );
}

/** The area first, then the line. */
function Legend({ summary }: { readonly summary: readonly string[] }) {
  return (
    <ul className="mt-1.5 text-small text-soft">
      {summary.map((words, index) => (
        <li key={words} className="flex items-center gap-2">
          <span
            aria-hidden="true"
            className={`inline-block w-5 shrink-0 border-t-2 ${index === 0 ? "border-accent" : "border-dashed border-ink"}`}
          />
          {words}
        </li>
      ))}
    </ul>
  );
}

function summaryOf(
  { label, values }: Series,
  text: (value: number) => string,
  timeOf: (index: number) => string,
): string {
  const known = values.flatMap((value, index) => (value === null ? [] : [{ value, index }]));
  const last = known.at(-1);
  if (last === undefined) return `${label}: no data yet`;
  const most = known.reduce((best, each) => (each.value > best.value ? each : best));
  return `${label}: ${text(last.value)} now, peak ${text(most.value)} at ${timeOf(most.index)}`;
}

/** Consecutive known values, with the index of the first. */
interface Stretch {
  readonly start: number;
  readonly values: readonly number[];
}

/**
 * The SVG path of a curve in a box of 100 × 100, with 0 at the bottom and `top` at the top. Unknown values leave gaps.
 * `filled`: closes the path along the bottom.
 */
export function curvePath(values: readonly (number | null)[], top: number, filled: boolean): string {
  const x = (index: number) => rounded((index / Math.max(1, values.length - 1)) * 100);
  const y = (value: number) => rounded(100 - Math.min(1, Math.max(0, value / top)) * 100);
  return stretchesOf(values)
    .map(({ start, values: known }) => {
      const line = known.map((value, index) => `${x(start + index)} ${y(value)}`).join("L");
      return filled ? `M${x(start)} 100L${line}L${x(start + known.length - 1)} 100Z` : `M${line}`;
    })
    .join("");
}

function stretchesOf(values: readonly (number | null)[]): readonly Stretch[] {
  const stretches: { start: number; values: number[] }[] = [];
  for (const [index, value] of values.entries()) {
    if (value === null) continue;
    const last = stretches.at(-1);
    if (last !== undefined && last.start + last.values.length === index) last.values.push(value);
    else stretches.push({ start: index, values: [value] });
  }
  return stretches;
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}

/** The top of the scale: the capacity, or the next round number above the largest value. */
export function scaleTop(values: readonly (number | null)[], capacity: number | undefined): number {
  const most = values.reduce<number>((top, value) => Math.max(top, value ?? 0), 0);
  if (capacity !== undefined && capacity >= most) return capacity;
  if (most <= 1) return 1;
  const power = 10 ** Math.floor(Math.log10(most));
  return [1, 2, 5, 10].map((step) => step * power).find((step) => step >= most) ?? most;
}
