import type { Page } from "@playwright/test";
import type { ReviewList } from "@weft/shared/records/review-record.ts";
import type { TableColumn, TableField, TableFields, TablePage, TableValue } from "@weft/shared/records/table-record.ts";

/** A column, and its value for each sample. */
const COLUMNS: readonly (TableColumn & { readonly of: (n: number) => TableValue })[] = [
  { id: "dataset.age", source: "dataset", label: "age", type: "number", of: (n) => 20 + (n % 70) },
  { id: "dataset.group", source: "dataset", label: "group", type: "text", of: (n) => ["case", "control"][n % 2] ?? "" },
  ...["volume_ml", "thickness", "snr", "motion"].map((label, at) => ({
    id: `output.measures/${label}`,
    source: "output" as const,
    label,
    type: "number" as const,
    of: (n: number) => 40 + at + 8 * Math.sin(n * 12.9898 + at) + (n % 499 === 0 ? 60 : 0),
  })),
];

/** Answers what pages ask about the table of the run `bench`, which has so many samples; after `routeSyntheticRun`. */
export async function routeSyntheticTable(page: Page, samples: number): Promise<void> {
  const runs = [{ run_id: "bench", name: "Bench" }];
  const unread = { unread: [], unread_total: 0 };
  await page.route("**/api/runs/bench/table?**", (route) => {
    const { searchParams } = new URL(route.request().url());
    const wanted = new Set(searchParams.get("fields")?.split(","));
    const columns = COLUMNS.filter(({ id }) => wanted.has(id));
    const rows = Array.from({ length: samples }, (_, n) => ({
      ...{ run_id: "bench", sample_id: `sub-${n}`, index: n },
      values: columns.map(({ of }) => of(n)),
    }));
    const answer: TablePage = { runs, columns: columns.map(plain), rows, from: 0, total: samples, ...unread };
    return route.fulfill({ json: answer });
  });
  await page.route("**/api/runs/bench/table/fields**", (route) => {
    const fields = COLUMNS.map(({ id, source, label, type, of }): TableField => {
      const [port = ""] = id.split(".").at(-1)?.split("/") ?? [];
      return { id, source, label, type, port, filled: 40, distinct: 20, example: of(0) };
    });
    const answer: TableFields = { runs, samples, examined: 40, fields, truncated: false, ...unread };
    return route.fulfill({ json: answer });
  });
  const reviews: ReviewList = { run_id: "bench", reviews: [], passed: 0, failed: 0, next_page_token: "" };
  await page.route("**/api/runs/bench/reviews**", (route) => route.fulfill({ json: reviews }));
}

function plain({ id, source, label, type }: TableColumn): TableColumn {
  return { id, source, label, type };
}
