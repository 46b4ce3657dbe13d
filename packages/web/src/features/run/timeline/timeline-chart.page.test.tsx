import { expect, onTestFinished, test, vi } from "vitest";
import type { JobTimes } from "../../../api/queries/all-jobs.ts";
import { jobTimes } from "../../../testing/job-times.ts";
import { renderPart } from "../../../testing/render-part.tsx";
import { cssColor, readColors } from "../../../ui/read-colors.ts";
import { TimelineChart } from "./timeline-chart.tsx";
import { arrangeRows } from "./timeline-jobs.ts";

const STATES = ["EXECUTOR_ERROR", "RUNNING", "COMPLETE", "CANCELED"] as const;

/** Bars that reach the end, so that no name fits to their right; half of them begin at the left, too. */
const JOBS: readonly JobTimes[] = STATES.flatMap((state) => [0, 60_000].map((startedMs) => jobOf(state, startedMs)));

function jobOf(state: JobTimes["state"], startedMs: number): JobTimes {
  const id = `${state.toLowerCase()}_${startedMs}`;
  const endedMs = state === "RUNNING" ? undefined : 100_000;
  return jobTimes({ id, step: `outer/${id}`, state, startedMs, exitedMs: endedMs, endedMs });
}

interface Place {
  readonly x: number;
  /** The middle of the text. */
  readonly y: number;
  readonly width: number;
}

/** Shows a chart; returns where it writes a name, and the colors of its pixels. */
async function showChart(jobs = JOBS) {
  const write = vi.spyOn(CanvasRenderingContext2D.prototype, "fillText");
  onTestFinished(() => write.mockRestore());
  const none = { whyWaited: () => undefined, onOpen: () => undefined, onSpan: () => undefined, span: undefined };
  const rows = arrangeRows(jobs);
  const { container } = await renderPart(<TimelineChart rows={rows} nowMs={100_000} path={[]} {...none} />);
  await expect.poll(() => write.mock.calls.length).toBeGreaterThan(8);
  const canvas = container.querySelector("canvas");
  const context = canvas?.getContext("2d");
  if (canvas === null || context === null || context === undefined) throw new Error("there is no canvas");
  const placeOf = (name: string): Place => {
    const [text, x, y] = write.mock.calls.findLast((call) => call[0] === name) ?? [];
    if (text === undefined || x === undefined || y === undefined) throw new Error(`${name} is not written`);
    return { x, y, width: context.measureText(text).width };
  };
  return { canvas, placeOf, pixels: (place: Place) => colorsAt(context, place) };
}

/** The colors in the box of a text. */
function colorsAt(context: CanvasRenderingContext2D, box: Place): ReadonlySet<string> {
  const ratio = devicePixelRatio;
  const [left, top] = [Math.floor(box.x * ratio), Math.round((box.y - 5) * ratio)];
  const { data } = context.getImageData(left, top, Math.floor(box.width * ratio), Math.round(10 * ratio));
  const colors = new Set<string>();
  for (let i = 0; i < data.length; i += 4) colors.add(cssColor([data[i] ?? 0, data[i + 1] ?? 0, data[i + 2] ?? 0]));
  return colors;
}

test("names of jobs have neither a pattern nor the line of their wait behind them", async () => {
  const { placeOf, pixels } = await showChart();
  for (const { id } of JOBS) {
    const name = placeOf(id);
    const bar = pixels({ ...name, x: name.x + name.width + 8, width: 20 });
    const line = name.x > 400 ? pixels({ ...name, x: name.x - 30, width: 20 }) : bar;
    const plain = pixels({ ...name, x: name.x - 2, width: 2 });
    expect(plain.size, `${id} begins on a plain color`).toBe(1);
    const shared = pixels(name).intersection(bar.union(line).difference(plain));
    expect([...shared], `colors of the bar behind ${id}`).toEqual([]);
  }
});

test("names of steps are written alike, and no line crosses them", async () => {
  const { canvas, placeOf, pixels } = await showChart();
  const line = cssColor(readColors(canvas, ["line"])("line"));
  for (const { id } of JOBS) {
    const name = placeOf(`…/${id}`);
    // To the left of the name, where no edge of a letter has the color of the line by chance.
    expect(pixels({ ...name, x: name.x - 6, width: 5 }).has(line), id).toBe(false);
  }
});

test("a step of one job does not take the name of the 300 jobs below it", async () => {
  const { placeOf } = await showChart(
    ["split", "tabulate", "sort"].flatMap((step, at) =>
      Array.from({ length: step === "tabulate" ? 1 : 300 }, (_, n) =>
        jobTimes({
          id: `${step}-${n}`,
          step,
          state: "COMPLETE",
          queuedMs: at * 1000,
          startedMs: at * 1000,
          endedMs: 5000,
        }),
      ),
    ),
  );
  expect(placeOf("sort").y).toBeGreaterThan(placeOf("split").y);
  expect(() => placeOf("tabulate")).toThrow();
});
