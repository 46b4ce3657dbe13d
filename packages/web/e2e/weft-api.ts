import { expect, type APIRequestContext, type Locator, type Page } from "@playwright/test";
import type { Network } from "@weft/shared/records/process-record.ts";
import type { Run } from "@weft/shared/records/run-record.ts";

/** The smaller example of the network imaging-cohort. Each of its jobs takes a third of a second of processor time. */
export const TWO_SUBJECTS = 1;

/** Starts a run by the API. `url`: the address of a server that is not the shared one. */
export async function startRun(request: APIRequestContext, data: object, url = ""): Promise<Run> {
  const response = await request.post(`${url}/api/runs`, { data });
  expect(response.status(), await response.text()).toBe(201);
  // The tests of the API prove the shapes of its answers.
  return (await response.json()) as Run;
}

interface Example {
  /** Place in the list of examples. */
  readonly example?: number;
  readonly url?: string;
  /** Inputs that differ from those of the example. */
  readonly change?: object;
  /** More fields of the request. */
  readonly more?: object;
}

/** Starts a network on one of its examples; returns the run. */
export async function startExample(
  request: APIRequestContext,
  network: string,
  { example = 0, url = "", change = {}, more = {} }: Example = {},
): Promise<Run> {
  const { examples } = await readNetwork(request, network, url);
  return startRun(request, { network, inputs: { ...examples[example]?.inputs, ...change }, ...more }, url);
}

export async function readNetwork(request: APIRequestContext, networkId: string, url = ""): Promise<Network> {
  const response = await request.get(`${url}/api/networks/${networkId}`);
  expect(response.status()).toBe(200);
  return (await response.json()) as Network; // as above
}

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

/** Waits by the API until a run is in a final state, at most until the limit of the test, and returns it. */
export async function waitForEnd(request: APIRequestContext, runId: string, url = ""): Promise<Run> {
  await expect
    .poll(async () => (await readRun(request, runId, url)).end_time, { timeout: 0, intervals: [50, 100, 200] })
    .not.toBeNull();
  return readRun(request, runId, url);
}

/** Starts a network on one of its examples; returns the run that has ended. */
export async function runExampleToEnd(...start: Parameters<typeof startExample>): Promise<Run> {
  const [request, , { url } = {}] = start;
  return waitForEnd(request, (await startExample(...start)).run_id, url);
}

/** A run that has succeeded and one that has failed. */
export async function twoRuns(request: APIRequestContext): Promise<readonly [done: string, failed: string]> {
  const done = await startExample(request, "imaging-cohort", { example: TWO_SUBJECTS });
  const broken = { class: "File", basename: "sub-01.nii", location: "data:,no image" };
  const failed = await startRun(request, { network: "imaging-cohort", inputs: { images: [broken] } });
  await waitForEnd(request, done.run_id);
  await waitForEnd(request, failed.run_id);
  return [done.run_id, failed.run_id];
}
