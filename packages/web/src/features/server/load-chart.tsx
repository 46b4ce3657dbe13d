import { TitledSection } from "../../ui/titled-section.tsx";
import { curvePath, scaleTop } from "./curve-path.ts";

export interface Series {
  readonly label: string;
  readonly values: readonly (number | null)[];
}

export interface LoadChartProps {
  readonly title: string;
  readonly area: Series;
  /** Drawn over the area. */
  readonly line?: Series;
  /** Capacity: the top of the scale, unless a value exceeds it. */
  readonly capacity?: number;
  readonly text: (value: number) => string;
  /** Below the left edge, the middle and the right edge. */
  readonly times: readonly string[];
  readonly timeOf: (index: number) => string;
}

/** A curve over the last hours, with the latest and the peak value as text. */
export function LoadChart({ title, area, line, capacity, text, times, timeOf }: LoadChartProps) {
  const series = line === undefined ? [area] : [area, line];
  const top = scaleTop(
    series.flatMap(({ values }) => values),
    capacity,
  );
  const summary = series.map((each) => summaryOf(each, text, timeOf));
  return (
    <TitledSection title={title} card aside={<span className="text-soft tabular-nums">{text(top)}</span>}>
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
      <div className="mt-1 flex justify-between text-[0.75rem] text-soft tabular-nums" aria-hidden="true">
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
    <ul className="mt-1.5 text-[0.8125rem] text-soft">
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

const STROKE = { strokeWidth: 1.5, vectorEffect: "non-scaling-stroke" } as const;

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
