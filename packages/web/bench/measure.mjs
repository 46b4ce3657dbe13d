// node packages/web/bench/measure.mjs: how smooth the large drawings are. Prints numbers and judges none of them: they
// depend on the machine and on what else it does. Build the app first (node packages/tooling/build.mjs).
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "@playwright/test";
import { writeLargeCatalog } from "../e2e/large-network.ts";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const STEPS = 2000;
const JOBS = 10_000;
const MOVES = 90;

const catalog = await writeLargeCatalog(STEPS);
const state = await mkdtemp(join(tmpdir(), "weft-bench-state-"));
const { url, stop } = await startServer();
const executablePath = existsSync("/usr/bin/chromium") ? "/usr/bin/chromium" : undefined;
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
try {
  const page = await browser.newPage({ viewport: { width: 1280, height: 860 } });
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  await measureGraph(page, session);
  await measureTimeline(page, session);
} finally {
  await browser.close();
  await stop();
  await rm(catalog, { recursive: true });
  await rm(state, { recursive: true });
}

async function measureGraph(page, session) {
  await page.goto(`${url}/network/large`);
  const graph = page.getByRole("group", { name: /^Graph/ });
  await graph.waitFor();
  const box = await graph.boundingBox();
  print(`graph, ${STEPS} steps`, { "from navigation to the graph, ms": await sinceNavigation(page) });
  const at = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  await frames(page, session, "graph: drag", async (move) => {
    await page.mouse.move(at.x + 300, at.y);
    await page.mouse.down();
    await move((n) => page.mouse.move(at.x + 300 - n * 6, at.y + Math.sin(n / 8) * 60));
    await page.mouse.up();
  });
  await frames(page, session, "graph: wheel, far and near", (move) =>
    move((n) => page.mouse.wheel(0, n < MOVES / 2 ? 60 : -60)),
  );
}

async function measureTimeline(page, session) {
  await page.route("**/api/runs/bench**", (route) =>
    route.fulfill({ json: answerFor(new URL(route.request().url())) }),
  );
  await page.goto(`${url}/run/bench?tab=timeline`);
  const bars = page.getByRole("img", { name: /^Bars of/ });
  await bars.waitFor();
  print(`timeline, ${JOBS} jobs`, { "from navigation to the bars, ms": await sinceNavigation(page) });
  const box = await bars.boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await frames(page, session, "timeline: wheel at the cursor", (move) =>
    move((n) => page.mouse.wheel(0, n < MOVES / 2 ? -60 : 60)),
  );
}

/** Lets something happen once per painted frame and prints how long frames and the work for them took. */
async function frames(page, session, name, act) {
  await page.evaluate(() => {
    globalThis.benchFrames = [];
    const tick = (now) => {
      globalThis.benchFrames.push(now);
      globalThis.benchHandle = requestAnimationFrame(tick);
    };
    globalThis.benchHandle = requestAnimationFrame(tick);
  });
  const before = await cpuSeconds(session);
  await act(async (move) => {
    for (let n = 0; n < MOVES; n += 1) {
      await move(n);
      await page.evaluate(() => new Promise((resolve) => void requestAnimationFrame(resolve)));
    }
  });
  const cpu = (await cpuSeconds(session)) - before;
  const times = await page.evaluate(() => {
    cancelAnimationFrame(globalThis.benchHandle);
    return globalThis.benchFrames;
  });
  const gaps = times
    .slice(1)
    .map((time, place) => time - times[place])
    .toSorted((a, b) => a - b);
  print(name, {
    "frame, median ms": gaps[Math.floor(gaps.length / 2)],
    "frame, 95 % ms": gaps[Math.floor(gaps.length * 0.95)],
    "main thread per frame, ms": (cpu * 1000) / gaps.length,
  });
}

async function cpuSeconds(session) {
  const { metrics } = await session.send("Performance.getMetrics");
  return metrics.find(({ name }) => name === "TaskDuration").value;
}

function sinceNavigation(page) {
  return page.evaluate(() => performance.now());
}

function print(name, values) {
  console.log(
    `${name}: ${Object.entries(values)
      .map(([label, value]) => `${label} ${value.toFixed(1)}`)
      .join("; ")}`,
  );
}

/** A run that was never run: only its shape matters here. */
function answerFor({ pathname, searchParams }) {
  if (pathname.endsWith("/jobs")) return jobPage(Number(searchParams.get("page_token") ?? 0));
  const time = new Date(0).toISOString();
  const reference = { id: "large", version: null, digest: "", url: "" };
  return {
    run_id: "bench",
    url: "",
    run: "",
    status: "",
    name: "Bench",
    network: reference,
    state: "COMPLETE",
    outcome: "success",
    state_reason: null,
    created_at: time,
    start_time: time,
    end_time: time,
    duration_ms: 0,
    revision: 1,
    owner: "local",
    tags: {},
    job_counts: { COMPLETE: JOBS },
    inputs: {},
    options: {},
    samples: [],
    step_counts: [],
    outputs: {},
    abort: null,
    links: {},
    progress: { jobs_total: JOBS, jobs_total_is_final: true, jobs_done: JOBS, fraction: 1, eta: null },
  };
}

function jobPage(first) {
  const jobs = Array.from({ length: Math.min(500, JOBS - first) }, (_, place) => jobAt(first + place));
  return { jobs, total: JOBS, next_page_token: first + 500 < JOBS ? String(first + 500) : "" };
}

function jobAt(n) {
  const time = (ms) => new Date(ms).toISOString();
  const started = (n % 1000) * 400 + Math.floor(n / 1000) * 20_000;
  const took = 300 + ((n * 7919) % 9000);
  return {
    job_id: `step-${Math.floor(n / 500)}.${n}`,
    run_id: "bench",
    url: "",
    step: `step-${Math.floor(n / 500)}`,
    sample_id: null,
    scatter_index: [n],
    state: n % 97 === 0 ? "EXECUTOR_ERROR" : "COMPLETE",
    phase: "ended",
    state_reason: null,
    attempt: 1,
    exit_code: 0,
    signal: null,
    timing: {
      queued_at: time(started / 2),
      started_at: time(started),
      ended_at: time(started + took),
      queued_ms: 0,
      running_ms: took,
    },
  };
}

async function startServer() {
  const args = [
    join(ROOT, "packages/cli/bin/weft.cjs"),
    "serve",
    "--port",
    "0",
    "--state",
    state,
    "--catalog",
    catalog,
  ];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  const address = await new Promise((resolve, reject) => {
    child.stdout.on("data", (chunk) => {
      const found = /listening on (\S+)/.exec(String(chunk))?.[1];
      if (found !== undefined) resolve(found);
    });
    child.once("exit", () => reject(new Error("the server did not start")));
  });
  return {
    url: address,
    stop: () => {
      child.kill("SIGTERM");
      return ended;
    },
  };
}
