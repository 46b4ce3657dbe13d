import type { Page } from "@playwright/test";
import type { ResultRow, RunResults } from "@weft/shared/records/result-record.ts";

const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const OUTPUTS = ["plot", "table", "volume", "series"] as const;

/** Answers what pages ask about the results of the run `bench`, which has so many samples; after `routeSyntheticRun`. */
export async function routeSyntheticResults(page: Page, samples: number): Promise<void> {
  await page.route("**/api/runs/bench/results**", (route) => {
    const { searchParams } = new URL(route.request().url());
    const from = Number(searchParams.get("from") ?? 0);
    const size = Number(searchParams.get("page_size") ?? 50);
    const answer: RunResults = {
      run_id: "bench",
      partial: false,
      columns: OUTPUTS.map((output) => ({ output, by: "sample", rows: samples })),
      rows: Array.from({ length: Math.max(0, Math.min(size, samples - from)) }, (_, place) => rowAt(from + place)),
      from,
      total: samples,
    };
    return route.fulfill({ json: answer });
  });
  await page.route("**/api/runs/bench/files/**", (route) =>
    route.request().url().endsWith(".png")
      ? route.fulfill({ contentType: "image/png", body: Buffer.from(PIXEL, "base64") })
      : route.fulfill({ contentType: "text/csv", body: "region,volume\nleft,1\nright,2\n" }),
  );
}

function rowAt(n: number): ResultRow {
  const file = (name: string) => ({
    class: "File",
    basename: name,
    location: `/api/runs/bench/files/${name}`,
    size: 70,
  });
  const values = [
    file(`${n}.png`),
    file(`${n}.csv`),
    n / 7,
    Array.from({ length: 50 }, (_, x) => Math.sin((n + x) / 5)),
  ];
  return {
    sample_id: `sub-${n}`,
    index: n,
    cells: OUTPUTS.map((output, place) => ({ output, value: values[place] })),
  };
}
