import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { renderPart } from "../../../testing/render-part.tsx";
import { LineSearch, LogView, MAX_MATCHES } from "./log-view.tsx";

const SOURCE = { runId: "r", jobId: "j", stream: "stderr" } as const;

/** Ranges of a log, as the server gives them. `hold`: reads of the whole log wait for it. */
function logAnswer(log: () => Uint8Array<ArrayBuffer>, hold: Promise<void> = Promise.resolve()) {
  return async ({ headers }: { readonly headers: Headers }): Promise<Response> => {
    const range = headers.get("range");
    if (range === null) await hold;
    const [, from = "0", to = ""] = /bytes=(\d+)-(\d*)/.exec(range ?? "") ?? [];
    const body = log();
    if (Number(from) >= body.length) return new Response(null, { status: 416 });
    return new Response(body.subarray(Number(from), to === "" ? body.length : Number(to) + 1), { status: 206 });
  };
}

interface ShownLog {
  readonly lines: readonly string[];
  readonly live?: boolean;
  readonly at?: string;
  readonly hold?: Promise<void>;
}

async function showLog({ lines, live = false, at = "/", hold }: ShownLog) {
  let log = new TextEncoder().encode(lines.join(""));
  const answers = { "GET /api/runs/{run_id}/jobs/{job_id}/log": logAnswer(() => log, hold) };
  const screen = await renderPart(<LogView source={SOURCE} sizeBytes={log.length} live={live} />, { answers, at });
  const write = (text: string): void => {
    log = new TextEncoder().encode(lines.join("") + text);
  };
  return { ...screen, write };
}

const numbered = (count: number, more = ""): string[] =>
  Array.from({ length: count }, (_, n) => `line ${n + 1}${more}\n`);
const named = (name: string) => page.getByRole("button", { name });
const region = (name: RegExp) => page.getByRole("region", { name });
const excess = (): number => {
  const box = document.querySelector(".code[role=region]");
  return box === null ? Number.NaN : box.scrollWidth - box.clientWidth;
};

test("a log of 300,000 lines is opened at its end, searched, and linked by line", async () => {
  const lines = numbered(300_000);
  lines[149_999] = "line 150000 \u001b[31mneedle\u001b[0m \u202Ex\n";
  const { address } = await showLog({ lines });
  const view = region(/300,000 lines/);
  await expect.element(view.getByText("line 300000")).toBeVisible();
  expect(view.getByRole("link").elements().length).toBeLessThan(60);

  await page.getByRole("searchbox").fill("needle");
  await expect.element(page.getByText("1 of 1 line")).toBeVisible();
  await expect.element(view.getByText(/\[U\+202E\]x/)).toBeVisible();
  await view.getByRole("link", { name: "Line 150000" }).click();
  await view.getByRole("link", { name: "Line 150002" }).click({ modifiers: ["Shift"] });
  await expect.poll(address).toMatch(/#L150000-L150002$/);
  await view.click();
  await userEvent.keyboard("{End}");
  await expect.element(view.getByText("line 300000")).toBeVisible();
});

test("a link to a line opens the log there", async () => {
  await showLog({ lines: numbered(2000), at: "/#L1000" });
  await expect.element(region(/2,000 lines/).getByText("line 1000")).toBeInViewport();
});

test.for([2000, 20])("long lines of a log of %i lines are wrapped, and the choice is remembered", async (count) => {
  const lines = numbered(count, ` of many words${" and more".repeat(60)}.`);
  const shown = await showLog({ lines });
  const last = () => page.getByText(new RegExp(`^line ${count} of`));
  await expect.element(last()).toBeInViewport();
  await expect.poll(excess).toBeGreaterThan(1000);
  await page.getByRole("button", { name: "Wrap lines" }).click();
  await expect.poll(excess).toBe(0);
  await expect.element(last()).toBeInViewport();
  expect(page.getByRole("link").elements().length).toBeLessThan(120);
  await shown.unmount();
  await showLog({ lines, at: "/#L2" });
  await expect.element(page.getByRole("button", { name: "Wrap lines" })).toHaveAttribute("aria-pressed", "true");
  await expect.element(page.getByText(/^line 2 of/)).toBeInViewport();
});

test("the log of a running job is followed until the reader scrolls up", async () => {
  const { write } = await showLog({ lines: numbered(100), live: true });
  await expect.element(page.getByRole("button", { name: "Following" })).toBeVisible();
  write(numbered(100, " of more").join(""));
  await expect.element(page.getByText("line 100 of more")).toBeInViewport();
  region(/200 lines/)
    .element()
    .scrollTo({ top: 0 });
  await expect.element(page.getByRole("button", { name: "Follow" })).toBeVisible();
  await expect.element(page.getByText("line 1", { exact: true })).toBeInViewport();
  await page.getByRole("button", { name: "Follow" }).click();
  await expect.element(page.getByText("line 100 of more")).toBeInViewport();
});

for (const lines of [1, 2, 100])
  test(`the buttons of a followed log of ${lines} lines do not cover each other`, async () => {
    await showLog({ lines: numbered(lines), live: true });
    const [follow, wrap] = [named("Following"), named("Wrap lines")] as const;
    await expect.element(follow).toBeVisible();
    expect(follow.element().getBoundingClientRect().top).toBeGreaterThan(wrap.element().getBoundingClientRect().bottom);
  });

test("shows the end of a long log before its lines are counted, and keeps the scroll position", async () => {
  const held = Promise.withResolvers<void>();
  await showLog({ lines: numbered(100_000), hold: held.promise });
  const tail = region(/the last [\d,]+ lines/);
  await expect.element(tail.getByText("line 100000")).toBeVisible();
  await expect.element(page.getByText(/Showing the end while the rest loads/)).toBeVisible();
  expect(tail.getByRole("link").elements()).toEqual([]);
  tail.element().scrollBy(0, -4000);
  const middle = tail.getByText(/^line 997\d\d$/).first();
  await expect.element(middle).toBeVisible();
  const text = middle.element().textContent;
  held.resolve();
  const whole = region(/, 100,000 lines/);
  await expect.element(whole.getByText(text)).toBeInViewport();
  await expect.element(whole.getByRole("link").first()).toBeVisible();
});

test("lines are found regardless of case, colors and chunk boundaries", () => {
  const log = "start\nError: one\nfine\n\x1b[31mer\x1b[1mror\x1b[0m two\nno\nlast error";
  for (const size of [1, 3, 1000]) {
    const search = new LineSearch("ERROR");
    for (let at = 0; at < log.length; at += size) search.push(log.slice(at, at + size));
    search.end();
    expect(search.matches).toEqual([1, 3, 5]);
  }
});

test("the number of matches is bounded", () => {
  const search = new LineSearch("x");
  search.push("x\n".repeat(MAX_MATCHES + 5));
  expect(search.matches.length).toBe(MAX_MATCHES);
  expect(search.isFull).toBe(true);
});
