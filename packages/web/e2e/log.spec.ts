import { expect } from "@playwright/test";
import { accessibilityProblems } from "./accessibility.ts";
import { startExample, waitForEnd } from "./weft-api.ts";
import { test } from "./weft-test.ts";

const LINES = 1_000_000;

test("a log of a million lines is opened at its end, searched, and linked by line", async ({ page, request }) => {
  test.setTimeout(120_000);
  const run = await startExample(request, "text-statistics");
  await waitForEnd(request, run.run_id);
  const log = Buffer.from(
    Array.from(
      { length: LINES },
      (_, n) => `line ${n + 1}${n === 499_999 ? " \u001b[31mneedle\u001b[0m \u202Ex" : ""}\n`,
    ).join(""),
  );
  // The server's own tests prove its ranges; a job that writes so much would take minutes here.
  await page.route("**/log?stream=*", (route) => {
    const [, from = "0", to = ""] = /bytes=(\d+)-(\d*)/.exec(route.request().headers()["range"] ?? "") ?? [];
    const body = log.subarray(Number(from), to === "" ? log.length : Number(to) + 1);
    return route.fulfill({ status: 206, contentType: "text/plain", body });
  });
  const jobs = await (await request.get(`/api/runs/${run.run_id}/jobs`)).json();
  const started = jobs.jobs.find((job: { timing: { started_at: string | null } }) => job.timing.started_at !== null);
  await page.goto(`/run/${run.run_id}?tab=logs&job=${started.job_id}`);
  const view = page.getByRole("region", { name: new RegExp(`${LINES.toLocaleString("en")} lines`) });
  await expect(view).toBeVisible({ timeout: 60_000 });
  await expect(view.getByText(`line ${LINES}`, { exact: true })).toBeVisible();
  expect(await view.getByRole("link").count()).toBeLessThan(60);

  await page.keyboard.press("/");
  await page.keyboard.type("needle");
  await expect(page.getByText("1 of 1 line")).toBeVisible({ timeout: 60_000 });
  await expect(view.locator("mark").getByText("needle", { exact: true })).toBeVisible();
  await expect(view.getByText("[U+202E]x")).toBeVisible();
  await view.getByRole("link", { name: "Line 500000", exact: true }).click();
  await view.getByRole("link", { name: "Line 500002", exact: true }).click({ modifiers: ["Shift"] });
  await expect(page).toHaveURL(/#L500000-L500002$/);
  await page.reload();
  await expect(view.getByText("line 500001", { exact: true })).toBeVisible({ timeout: 60_000 });
  await view.focus();
  await page.keyboard.press("End");
  await expect(view.getByText(`line ${LINES}`, { exact: true })).toBeVisible();
});

test("long lines are wrapped when wanted, in short and long logs, and the choice is remembered", async ({
  page,
  request,
}) => {
  const run = await startExample(request, "text-statistics");
  await waitForEnd(request, run.run_id);
  let count = 2000;
  await page.route("**/log?stream=*", (route) => {
    const lines = Array.from({ length: count }, (_, n) => `line ${n + 1} of many words${" and more".repeat(60)}.\n`);
    const log = Buffer.from(lines.join(""));
    const [, from = "0", to = ""] = /bytes=(\d+)-(\d*)/.exec(route.request().headers()["range"] ?? "") ?? [];
    const body = log.subarray(Number(from), to === "" ? log.length : Number(to) + 1);
    return route.fulfill({ status: 206, contentType: "text/plain", body });
  });
  const jobs = await (await request.get(`/api/runs/${run.run_id}/jobs`)).json();
  const started = jobs.jobs.find((job: { timing: { started_at: string | null } }) => job.timing.started_at !== null);
  const path = `/run/${run.run_id}?tab=logs&job=${started.job_id}`;
  await page.goto(path);
  const log = page.getByRole("region", { name: /, 2,000 lines$/ });
  const excess = () => page.locator(".code[role=region]").evaluate((box) => box.scrollWidth - box.clientWidth);
  await expect(log.getByText(/^line 2000 of/)).toBeInViewport();
  await expect(page.getByText(/^Started .*, ended /)).toBeVisible();
  await expect.poll(excess).toBeGreaterThan(1000);
  const wrap = page.getByRole("button", { name: "Wrap lines" });
  await wrap.click();
  await expect.poll(excess).toBe(0);
  await expect(log.getByText(/^line 2000 of/)).toBeInViewport();
  expect(await log.getByRole("link").count()).toBeLessThan(120);
  await log.focus();
  await page.keyboard.press("Home");
  await expect(log.getByText(/^line 1 of/)).toBeInViewport({ ratio: 1 });
  await page.keyboard.press("PageDown");
  await expect(log.getByText(/^line 1 of/)).not.toBeInViewport();
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.goto(`${path}#L1000`);
  await page.reload();
  await expect(log.getByText(/^line 1000 of/)).toBeInViewport();
  await expect(wrap).toHaveAttribute("aria-pressed", "true");

  count = 20;
  await page.goto(path);
  await page.reload();
  const short = page.getByRole("region", { name: /, 20 lines$/ });
  await expect(short.getByText(/^line 20 of/)).toBeInViewport({ ratio: 1 });
  expect(await excess()).toBe(0);
  await page.goto(`${path}#L2`);
  await page.reload();
  await expect(short.getByText(/^line 2 of/)).toBeInViewport();
  await wrap.click();
  await expect.poll(excess).toBeGreaterThan(1000);
});

test("the log of a running job is followed to its end", async ({ page, request }) => {
  const run = await startExample(request, "practice-load");
  let log = "one\n";
  await page.route("**/log?stream=*", (route) => {
    const from = Number(/bytes=(\d+)-/.exec(route.request().headers()["range"] ?? "")?.[1] ?? 0);
    return route.fulfill({ status: 206, contentType: "text/plain", body: log.slice(from) });
  });
  await page.goto(`/run/${run.run_id}?tab=jobs`);
  await expect(page.locator("td [data-state=RUNNING]").first()).toBeVisible();
  await page.goto(`/run/${run.run_id}?tab=logs`);
  await expect(page.getByText("one", { exact: true })).toBeVisible();
  log += Array.from({ length: 100 }, (_, n) => `more ${n}\n`).join("");
  await expect(page.getByText("more 99", { exact: true })).toBeVisible();
  await expect(page.getByRole("button", { name: "Following" })).toBeVisible();
  await request.delete(`/api/runs/${run.run_id}`);
  await waitForEnd(request, run.run_id);
});

test("the end of a long log is there before its lines are counted, and the reader keeps the place", async ({
  page,
  request,
}) => {
  const run = await startExample(request, "text-statistics");
  await waitForEnd(request, run.run_id);
  const log = Buffer.from(Array.from({ length: 100_000 }, (_, n) => `line ${n + 1}\n`).join(""));
  let release = (): void => undefined;
  const counted = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route("**/log?stream=*", async (route) => {
    const range = route.request().headers()["range"];
    if (range === undefined) await counted;
    const [, from = "0", to = ""] = /bytes=(\d+)-(\d*)/.exec(range ?? "") ?? [];
    const body = log.subarray(Number(from), to === "" ? log.length : Number(to) + 1);
    return route.fulfill({ status: 206, contentType: "text/plain", body });
  });
  await page.route(/\/jobs\/[^/?]+$/, async (route) => {
    const response = await route.fetch();
    const job = await response.json();
    const logs = {
      stdout: { ...job.logs?.stdout, size: log.length },
      stderr: { ...job.logs?.stderr, size: log.length },
    };
    return route.fulfill({ response, json: { ...job, logs } });
  });
  const { jobs } = await (await request.get(`/api/runs/${run.run_id}/jobs`)).json();
  const started = jobs.find((job: { timing: { started_at: string | null } }) => job.timing.started_at !== null);
  await page.goto(`/run/${run.run_id}?tab=logs&job=${started.job_id}`);
  const tail = page.getByRole("region", { name: /the last [\d,]+ lines/ });
  await expect(tail.getByText("line 100000", { exact: true })).toBeVisible();
  await expect(page.getByText(/Showing the end while the rest loads/)).toBeVisible();
  await expect(tail.getByRole("link")).toHaveCount(0);
  await tail.evaluate((box) => box.scrollBy(0, -4000));
  const middle = tail.getByText(/^line 997\d\d$/).first();
  await expect(middle).toBeVisible();
  const text = await middle.innerText();
  release();
  const whole = page.getByRole("region", { name: /, 100,000 lines/ });
  await expect(whole).toBeVisible();
  await expect(whole.getByText(text, { exact: true })).toBeVisible();
  await expect(whole.getByRole("link").first()).toBeVisible();
});

test("any job is found by name and state, and both of its streams are shown", async ({ page, request }) => {
  const run = await startExample(request, "imaging-cohort");
  await waitForEnd(request, run.run_id);
  const { jobs } = await (await request.get(`/api/runs/${run.run_id}/jobs?sort=-n&page_size=1`)).json();
  const last = jobs[0].job_id as string;
  await page.goto(`/run/${run.run_id}?tab=logs`);
  const list = page.getByRole("region", { name: "Jobs", exact: true });
  await page.getByLabel("Find a job by name, step or sample").fill(last);
  await expect(list.getByRole("listitem")).toHaveCount(1);
  await list.getByRole("button", { name: new RegExp(last) }).click();
  await expect(page).toHaveURL(new RegExp(`job=${last}`));
  await page.getByRole("button", { name: "Both" }).click();
  await expect(page.getByRole("region", { name: "stderr", exact: true })).toBeVisible();
  await expect(page.getByRole("region", { name: "stdout", exact: true })).toBeVisible();
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.getByLabel("State").selectOption({ label: "Failed" });
  await expect(list.getByText("No jobs match.")).toBeVisible();
});
