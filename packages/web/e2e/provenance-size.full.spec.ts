import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, type Page } from "@playwright/test";
import { largeCatalog } from "./large-network.ts";
import { newFolder } from "./own-server.ts";
import { startRun, waitForEnd } from "./weft-api.ts";
import { test } from "./weft-test.ts";

const WINDOWS = [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
];

const LISTS = /^(Outputs|smoothed|Where the file was read or written)$/;

/** The page is less than two windows high and has few elements, whatever the size of the run. */
async function expectBounded(page: Page, address: string): Promise<void> {
  for (const viewport of WINDOWS) {
    await page.setViewportSize(viewport);
    await page.goto(address);
    await expect(page.getByRole("list", { name: LISTS }).getByRole("listitem").first()).toBeVisible();
    const size = await page.evaluate(() => ({
      windows: document.documentElement.scrollHeight / innerHeight,
      elements: document.querySelectorAll("*").length,
    }));
    expect(size.windows, address).toBeLessThan(2);
    expect(size.elements, address).toBeLessThan(2000);
  }
}

const nodesOf = (page: Page) => page.getByRole("group", { name: /^Files and jobs/ }).getByRole("button");

test("the provenance of 1, 6 and 300 samples is a short page", async ({ page, request }) => {
  test.setTimeout(180_000);
  for (const count of [1, 6, 300]) {
    const texts = Array.from({ length: count }, (_, place) => {
      return { class: "File", basename: `sub-${place}.txt`, contents: `subject ${place}\n` };
    });
    const { run_id: runId } = await startRun(request, { network: "text-statistics", inputs: { texts } });
    expect((await waitForEnd(request, runId)).state).toBe("COMPLETE");
    await expectBounded(page, `/run/${runId}?tab=prov`);
  }
  await expectBounded(page, "/prov?q=sub-");
});

test("the provenance of 10,000 jobs and files is a short page", async ({ page, request, ownServer }) => {
  test.setTimeout(120_000);
  const state = await newFolder();
  const fill = "packages/tooling/bench/fill-store.mjs";
  await promisify(execFile)(process.execPath, [fill, state, "1", "10000", "outputs"]);
  const server = await ownServer({ state });
  const answer = await request.get(`${server.url}/api/runs`);
  const { runs } = (await answer.json()) as { runs: readonly { run_id: string }[] }; // the tests of the API prove the shape
  await page.goto(`${server.url}/run/${runs[0]?.run_id}?tab=prov`);
  await expect(nodesOf(page).filter({ hasText: "×10,000" })).toBeVisible();
  await nodesOf(page).filter({ hasText: "10,000 files" }).click();
  await expect(page.getByText("50 of 10,000 files")).toBeVisible();
  await expectBounded(page, page.url());
});

test("a page renders only the visible steps of 300, and the keyboard reaches all of them", async ({
  page,
  request,
  ownServer,
}) => {
  test.setTimeout(180_000);
  const server = await ownServer({ catalog: await largeCatalog(300) });
  const start = { class: "File", basename: "start.txt", contents: "x" };
  const { run_id: runId } = await startRun(request, { network: "large", inputs: { start } }, server.url);
  expect((await waitForEnd(request, runId, server.url)).state).toBe("COMPLETE");
  await expectBounded(page, `${server.url}/run/${runId}?tab=prov`);
  await page.setViewportSize({ width: 1280, height: 800 });
  await expect(nodesOf(page).first()).toBeVisible();
  expect(await nodesOf(page).count()).toBeLessThan(120);
  // Six columns of files follow each other.
  await nodesOf(page).first().focus();
  for (let column = 0; column < 11; column += 1) {
    await page.keyboard.press("ArrowRight");
  }
  const focused = page.locator("[data-path]:focus");
  await expect(focused).toBeInViewport();
  expect(await focused.getAttribute("data-path")).toMatch(/^files:step-2[5-9]\d:/);
});
