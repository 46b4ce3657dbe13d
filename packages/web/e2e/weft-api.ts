import type { APIRequestContext, Locator, Page } from "@playwright/test";
import type { Network } from "@weft/shared/records/process-record.ts";
import type { Run } from "@weft/shared/records/run-record.ts";
import { expect } from "@playwright/test";

/** The smaller example of the network imaging-cohort. Each of its jobs takes a third of a second of processor time. */
export const TWO_SUBJECTS = 1;

/** Starts a network on one of its examples by the API; returns the run. */
export async function startExample(request: APIRequestContext, networkId: string, example = 0): Promise<Run> {
  const { examples } = await readNetwork(request, networkId);
  const inputs = examples[example]?.inputs ?? {};
  const response = await request.post("/api/runs", { data: { network: networkId, inputs } });
  expect(response.status()).toBe(201);
  // The tests of the API prove the shape.
  return (await response.json()) as Run;
}

export async function readNetwork(request: APIRequestContext, networkId: string): Promise<Network> {
  const response = await request.get(`/api/networks/${networkId}`);
  expect(response.status()).toBe(200);
  return (await response.json()) as Network; // as above
}

/** `url`: the address of a server that is not the shared one. */
export async function readRun(request: APIRequestContext, runId: string, url = ""): Promise<Run> {
  const response = await request.get(`${url}/api/runs/${runId}`);
  expect(response.status()).toBe(200);
  return (await response.json()) as Run; // as above
}

/** The button of a run in a list where one is chosen to compare with. */
export function compareButton(page: Page, runId: string): Locator {
  const row = page.getByRole("row").filter({ has: page.locator(`a[href$="/run/${runId}"]`) });
  return row.getByRole("button", { name: /^Compare: / });
}

/** Waits by the API until a run is in a final state, and returns it. */
export async function waitForEnd(request: APIRequestContext, runId: string, url = ""): Promise<Run> {
  await expect
    .poll(async () => (await readRun(request, runId, url)).end_time, { timeout: 120_000, intervals: [50, 100, 200] })
    .not.toBeNull();
  return readRun(request, runId, url);
}

/** A run that has succeeded and one that has failed. */
export async function twoRuns(request: APIRequestContext): Promise<readonly [done: string, failed: string]> {
  const done = await startExample(request, "imaging-cohort", TWO_SUBJECTS);
  const broken = { class: "File", basename: "sub-01.nii", location: "data:,no image" };
  const response = await request.post("/api/runs", {
    data: { network: "imaging-cohort", inputs: { images: [broken] } },
  });
  const failed = await response.json();
  expect(response.status(), JSON.stringify(failed)).toBe(201);
  await waitForEnd(request, done.run_id);
  await waitForEnd(request, failed.run_id);
  return [done.run_id, failed.run_id];
}
