import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, type BrowserContext } from "@playwright/test";
import { newStateFolder } from "./own-server.ts";

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

/** A catalog with a tool that writes to its log now and then. */
export async function writeChatterCatalog(): Promise<string> {
  const catalog = join(await newStateFolder(), "catalog");
  const folder = join(catalog, "tools/chatter/1.0.0");
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "chatter.cwl"), JSON.stringify(CHATTER));
  return catalog;
}

/** Five tabs follow logs of different lengths to their last lines, each in the given number of runs. */
export async function followLogs(context: BrowserContext, url: string, rounds: number): Promise<void> {
  const follow = async (tab: number): Promise<void> => {
    const page = await context.newPage();
    for (let round = 0; round < rounds; round++) {
      const lines = 6 + ((tab * 7 + round * 5) % 20);
      const response = await page.request.post(`${url}/api/runs`, { data: { tool: "chatter", inputs: { lines } } });
      // The tests of the API prove the shape.
      const { run_id: runId } = (await response.json()) as { run_id: string };
      await page.goto(`${url}/run/${runId}?tab=logs`);
      await expect(page.getByText("line 1", { exact: true })).toBeVisible();
      await expect(page.getByText(`last line of ${lines}`, { exact: true })).toBeVisible();
    }
    await page.close();
  };
  await Promise.all(Array.from({ length: TABS }, (_, tab) => follow(tab)));
}
