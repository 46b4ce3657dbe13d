import { expect, type BrowserContext } from "@playwright/test";
import { newFolder } from "./own-server.ts";
import { startRun } from "./weft-api.ts";
import { ownServerTest as test } from "./weft-test.ts";

/** Writes a line now and then, and the last ones as it fails. */
const CHATTER = {
  cwlVersion: "v1.2",
  class: "CommandLineTool",
  requirements: { ResourceRequirement: { coresMin: 0.05, ramMin: 16 } },
  baseCommand: [
    "sh",
    "-c",
    'n=0; while [ $n -lt "$1" ]; do n=$((n+1)); echo "line $n" >&2; sleep 0.06; done; echo "last line of $1" >&2; exit 3',
    "chatter",
  ],
  inputs: { lines: { type: "int", inputBinding: {} } },
  outputs: {},
};

const TABS = 5;
const ROUNDS = 2;

// No page.route here: it turns off the browser's cache, which this test covers.
test("a followed log shows its last line when the job ends, in ten runs of several lengths", async ({
  context,
  ownServer,
}) => {
  const { url } = await ownServer({ catalog: await newFolder({ "tools/chatter/1.0.0/chatter.cwl": CHATTER }) });
  await Promise.all(Array.from({ length: TABS }, (_, tab) => follow(context, url, tab)));
});

async function follow(context: BrowserContext, url: string, tab: number): Promise<void> {
  const page = await context.newPage();
  for (let round = 0; round < ROUNDS; round++) {
    const lines = 6 + ((tab * 7 + round * 5) % 20);
    const { run_id: id } = await startRun(page.request, { tool: "chatter", inputs: { lines } }, url);
    await page.goto(`${url}/run/${id}?tab=logs`);
    await expect(page.getByText("line 1", { exact: true })).toBeVisible();
    await expect(page.getByText(`last line of ${lines}`, { exact: true })).toBeVisible();
  }
  await page.close();
}
