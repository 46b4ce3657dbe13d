import { useQuery } from "@tanstack/react-query";
import type { ServerLoad } from "@weft/shared/records/operations-record.ts";
import { loadQuery } from "../../api/operations-queries.ts";
import { formatBytes } from "../../format/format-bytes.ts";
import { formatClockTime } from "../../format/format-time.ts";
import { QueryView } from "../../ui/query-view.tsx";
import { useSearchParam } from "../../ui/use-search-param.ts";
import { LoadChart, type LoadChartProps } from "./load-chart.tsx";
import { numberText } from "../../format/count-text.ts";

const HOURS = [1, 6, 24] as const;
const USUAL_HOURS = "6";

/** Cores, memory and jobs of the last hours. */
export function LoadTab() {
  const [hours, setHours] = useSearchParam("hours");
  const chosen = HOURS.find((each) => String(each) === hours) ?? Number(USUAL_HOURS);
  const load = useQuery(loadQuery(chosen));
  return (
    <>
      <label className="mb-3 flex items-center gap-2 text-soft">
        Show the last
        <select
          className="input w-auto"
          value={String(chosen)}
          onChange={(event) => setHours(event.target.value === USUAL_HOURS ? "" : event.target.value)}
        >
          {HOURS.map((each) => (
            <option key={each} value={String(each)}>
              {each === 1 ? "hour" : `${each} hours`}
            </option>
          ))}
        </select>
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
        Averages over {Math.round(load.interval_ms / 1000)} s. Machine usage is recorded from the start of this server;
        jobs also from earlier starts.
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
