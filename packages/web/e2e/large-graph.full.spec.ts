import { expect } from "@playwright/test";
import { accessibilityProblems } from "./accessibility.ts";
import { largeCatalog } from "./large-network.ts";
import { download } from "./page-actions.ts";
import { ownServerTest as test } from "./weft-test.ts";

test("a network of 2,000 steps is searched, walked through and exported", async ({ page, ownServer }) => {
  test.setTimeout(120_000);
  const server = await ownServer({ catalog: await largeCatalog(2000) });
  await page.goto(`${server.url}/network/large`);
  const graph = page.getByRole("group", { name: /^Graph/ });
  await expect(graph).toBeVisible({ timeout: 30_000 });
  const nodes = graph.getByRole("button");
  expect(await nodes.count()).toBeLessThan(300);
  await expect(graph.getByRole("button", { name: /^step-\d+ / }).first()).toBeVisible(); // a readable step
  expect(await page.getByRole("treeitem").count()).toBeLessThan(60);

  await page.keyboard.press("/");
  await page.keyboard.type("step-1999");
  await expect(page.getByRole("treeitem")).toHaveCount(1);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/step=step-1999/);
  await expect(graph.getByRole("button", { name: /^step-1999/ })).toBeVisible();
  await graph.focus();
  await page.keyboard.press("ArrowLeft");
  await expect(page).toHaveURL(/step=step-19(49|00|56|57)\b/);
  await expect(graph.locator("button:focus")).toBeVisible();

  const map = page.getByTestId("minimap");
  await expect(map).toBeVisible();
  await page.keyboard.press("m");
  await expect(map).toBeHidden();
  await page.keyboard.press("f");
  await expect(nodes).toHaveCount(0); // at this scale, nodes are painted
  expect((await download(page, "Export as SVG")).suggestedFilename()).toBe("large.svg");
  expect(await accessibilityProblems(page)).toEqual([]);
});
