import { AxeBuilder } from "@axe-core/playwright";
import { expect, type APIRequestContext } from "@playwright/test";
import type { Run } from "@weft/shared/records/run-record.ts";
import { readNetwork, waitForEnd } from "./weft-api.ts";
import { test } from "./weft-test.ts";

test("two runs are chosen and compared: what differs first, everything when asked for", async ({ page, request }) => {
  const one = await startWith(request, { top: 3 });
  const other = await startWith(request, { top: 5 });
  await page.goto(`/run/${one.run_id}`);
  await page.getByRole("link", { name: "Compare…" }).click();
  await page.getByRole("button", { name: new RegExp(`^Compare: .*${other.run_id.slice(-12)}`) }).click();
  await expect(page).toHaveURL(new RegExp(`compare=${one.run_id}(,|%2C)${other.run_id}`));
  const inputs = page.getByRole("table", { name: "Inputs", exact: true });
  await expect(inputs.getByRole("row")).toHaveCount(2);
  await expect(inputs.getByRole("row").nth(1)).toHaveText(/top35differs/);
  await expect(page.getByRole("table", { name: "Outputs", exact: true })).toContainText("top_words");
  // Its state is in the address, which follows a moment after the click.
  await page.getByLabel("Show what is the same too").click();
  await expect(page.getByLabel("Show what is the same too")).toBeChecked();
  await expect(inputs).toContainText("texts[0]");
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
  await page.goto(`/runs?compare=${one.run_id},${one.run_id}`);
  await expect(page.getByText("Nothing differs.")).toBeVisible();
});

async function startWith(request: APIRequestContext, change: Readonly<Record<string, unknown>>): Promise<Run> {
  const { examples } = await readNetwork(request, "text-statistics");
  const inputs = { ...examples[0]?.inputs, ...change };
  const response = await request.post("/api/runs", { data: { network: "text-statistics", inputs } });
  expect(response.status()).toBe(201);
  // The API's own tests prove the shape.
  return waitForEnd(request, ((await response.json()) as Run).run_id);
}
