import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "@playwright/test";
import { newStateFolder } from "./own-server.ts";
import { test } from "./weft-test.ts";

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

const ROUNDS = 4;
const TABS = 5;

// No page.route here: it turns off the browser's cache, which is part of what is tested.
test("a followed log shows its last line when the job ends, in 20 runs of random lengths", async ({
  context,
  request,
  ownServer,
}) => {
  const catalog = join(await newStateFolder(), "catalog");
  const folder = join(catalog, "tools/chatter/1.0.0");
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "chatter.cwl"), JSON.stringify(CHATTER));
  const server = await ownServer({ catalog });
  const follow = async (): Promise<void> => {
    const page = await context.newPage();
    for (let round = 0; round < ROUNDS; round++) {
      const lines = 6 + Math.floor(Math.random() * 20);
      const response = await request.post(`${server.url}/api/runs`, { data: { tool: "chatter", inputs: { lines } } });
      // The API's own tests prove the shape.
      const { run_id: runId } = (await response.json()) as { run_id: string };
      await page.goto(`${server.url}/run/${runId}?tab=logs`);
      await expect(page.getByText("line 1", { exact: true })).toBeVisible();
      await expect(page.getByText(`last line of ${lines}`, { exact: true })).toBeVisible({ timeout: 8000 });
    }
    await page.close();
  };
  await Promise.all(Array.from({ length: TABS }, follow));
});
