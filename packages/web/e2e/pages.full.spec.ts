import { expect } from "@playwright/test";
import { PAGES, RUN_TABS } from "./all-pages.ts";
import { excess, expectWellMadeInEachLook, settled } from "./every-look.ts";
import { twoRuns } from "./weft-api.ts";
import { forgetErrors, test } from "./weft-test.ts";

test.describe.configure({ mode: "parallel" });

for (const { path, title } of PAGES)
  test(`${path} has its heading, fits and is accessible, in both themes, on a desktop and on a phone`, async ({
    page,
  }) => {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1, name: title })).toBeVisible();
    await settled(page);
    await expectWellMadeInEachLook(page);
  });

test("every tab of a run fits and is accessible, in both themes, on a desktop and on a phone", async ({
  page,
  request,
}) => {
  test.setTimeout(1_200_000);
  const [done, failed] = await twoRuns(request);
  for (const tab of RUN_TABS) {
    await page.goto(`/run/${done}?tab=${tab}`);
    await expect(page.getByRole("tab", { selected: true })).toBeVisible();
    await settled(page);
    await expectWellMadeInEachLook(page);
  }
  for (const [path, shown] of [
    [`/run/${done}?tab=jobs&job=name_subjects`, page.getByRole("dialog")],
    [`/run/${failed}`, page.getByText("TOOL_EXIT").first()],
    [`/runs?compare=${done},${failed}`, page.getByRole("heading", { name: "Different outputs" })],
  ] as const) {
    await page.goto(path);
    await expect(shown).toBeVisible();
    await settled(page);
    await expectWellMadeInEachLook(page);
  }
});

for (const draft of [
  { kind: "network", id: "imaging-cohort", based_on: "unversioned" },
  { kind: "tool", id: "threshold", based_on: "2.0.0" },
])
  test(`every tab of the draft of a ${draft.kind} fits and is accessible, in both themes, on a desktop and on a phone`, async ({
    page,
    request,
  }) => {
    test.setTimeout(240_000);
    const { draft_id: id } = await (await request.post("/api/drafts", { data: draft })).json();
    for (const tab of ["", "try", "files", "tests", "changes", "outline"]) {
      await page.goto(`/drafts/${id}?tab=${tab}`);
      await expect(page.getByRole("textbox", { name: `Text of ${draft.id}` })).toBeVisible();
      await settled(page);
      await expectWellMadeInEachLook(page);
    }
  });

test("the pages for missing records and for signing in are accessible in both themes", async ({
  page,
  ownServer,
  watch,
}) => {
  test.setTimeout(240_000);
  const server = await ownServer({ auth: "token" });
  for (const [address, heading] of [
    ["/netwroks", "Page not found"],
    ["/network/no-such", 'There is no network "no-such"'],
    ["/tool/no-such", 'There is no tool "no-such"'],
    [`${server.url}/networks`, "Sign in"],
  ] as const) {
    await page.goto(address);
    await expect(page.getByRole("heading", { name: heading })).toBeVisible();
    await expectWellMadeInEachLook(page);
  }
  forgetErrors(watch, /401|404|Authentication/);
});

test("on the narrowest screen, and at 400% zoom, no page scrolls sideways", async ({ page, request }) => {
  test.setTimeout(180_000);
  const [done] = await twoRuns(request);
  await page.setViewportSize({ width: 320, height: 640 });
  for (const path of [...PAGES.map((entry) => entry.path), ...RUN_TABS.map((tab) => `/run/${done}?tab=${tab}`)]) {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await settled(page);
    expect(await excess(page), path).toBeLessThanOrEqual(0);
  }
});
