import assert from "node:assert/strict";
import { join } from "node:path";
import { after, test, type TestContext } from "node:test";
import { temporaryFolder, writeFiles } from "@weft/shared/testing/temporary-folder.ts";
import { createLinks } from "@weft/shared/links.ts";
import type { Role } from "@weft/shared/records/role.ts";
import type { Caller } from "@weft/engine/port/caller.ts";
import { startRun, runToEnd, untilRun } from "@weft/engine/testing/drive-runs.ts";
import { openTestEngine } from "@weft/engine/testing/open-test-engine.ts";
import { ScriptedExecutor } from "@weft/engine/testing/scripted-executor.ts";
import { addToken } from "../src/auth/tokens/token-folder.ts";
import { EventSocketClient } from "./event-socket-client.ts";
import { OPERATIONS, ROWS, type RunNames, type Variant } from "./permission-operations.ts";
import { startTestServer } from "./test-server.ts";
import { ask as askEngine } from "@weft/engine/testing/ask-engine.ts";
import { runsOf } from "@weft/engine/testing/ask-runs.ts";

/**
 * A user without access learns nothing about another user's run. Every operation of /swagger.json, in every variant,
 * is called for runs of oz in every state and for a run that does not exist; the answers must be the same except for
 * the ids of the run and of the request. The engine is real.
 */
const PEOPLE = { vera: "viewer", rob: "runner", ada: "admin" } as const satisfies Record<string, Role>;
type Person = keyof typeof PEOPLE | "nobody";

const STATES = ["finished", "failed", "running", "pruned"] as const;
const UNKNOWN: RunNames = {
  runId: "019a9c5e-7b1a-7cc0-8000-999999999999",
  jobId: "main",
  output: "text.txt",
  own: "",
  tokens: {},
};

const TOOL = `cwlVersion: v1.2
class: CommandLineTool
baseCommand: say
inputs: {script: {type: string, inputBinding: {position: 1}}}
stdout: text.txt
outputs: {text: stdout}
`;
const executor = new ScriptedExecutor({
  say({ args: [script], print, warn }) {
    if (script === "nothing") return 0;
    warn("secret-of-oz\n");
    if (script === "failed") return 3;
    if (script === "running") return new Promise(() => {});
    print("secret-of-oz\n");
    return 0;
  },
});

const oz: Caller = { principal: "oz", links: createLinks("http://weft.test"), othersRuns: "changeable" };
const root = temporaryFolder();
const tokenFolder = join(root, "tokens");
const secrets = new Map<Person, string>();
const runs = new Map<(typeof STATES)[number], RunNames>();

writeFiles(root, { "catalog/tools/say/1.0.0/say.cwl": TOOL });
const options = { container: "none", sharesResults: false, maxUploadBytes: 1_000_000 } as const;
const engine = await openTestEngine(root, { ...options, executor });
for (const [name, role] of Object.entries(PEOPLE)) {
  const token = await addToken(tokenFolder, { name, role, expires_at: null });
  secrets.set(name as Person, token?.text ?? ""); // the names are those of the table
}
for (const state of STATES) runs.set(state, await makeRun(state));
after(() => engine.stop("cancel"));

async function makeRun(state: (typeof STATES)[number]): Promise<RunNames> {
  const body = {
    tool: "say",
    name: "secret-of-oz",
    inputs: { script: state },
    options: { cache: "off" as const },
  };
  const runId = await startRun(engine, body, oz);
  await untilRun(engine, runId, (run) =>
    state === "running" ? run.job_counts.RUNNING !== undefined : run.end_time !== null,
  );
  if (state === "pruned")
    await askEngine(engine, "POST /api/prune", {
      caller: oz,
      body: { run_id: runId, parts: ["outputs", "intermediate", "logs"] },
    });
  const { jobs } = engine.runs.jobs(oz, runId, {});
  return { runId, jobId: jobs[0]?.job_id ?? "", output: "text.txt", own: "", tokens: await tokensOf(runId) };
}

/** Page tokens of oz, which must reveal nothing in a request of another user. */
async function tokensOf(runId: string): Promise<Readonly<Record<string, string>>> {
  return {
    events: engine.events.page(oz, { runId, pageSize: 1 }).next_page_token,
    allEvents: engine.events.page(oz, { pageSize: 1 }).next_page_token,
    runs: engine.runs.list(oz, { page_size: 1 }).next_page_token,
    files: (await runsOf(engine).findFiles(oz, { page_size: 1 })).next_page_token,
  };
}

async function startServer(t: TestContext, privateRuns: boolean) {
  const auth = { mode: "token", token: "s".repeat(43), namedTokens: tokenFolder } as const;
  return startTestServer(t, { engine, auth, privateRuns });
}

type Server = Awaited<ReturnType<typeof startServer>>;

interface PlainAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** Sends a request. Returns the answer without the ids of the request and the run, and without an endless body. */
async function ask(server: Server, person: Person, variant: Variant, names: RunNames): Promise<PlainAnswer> {
  const { method, path, init = {} } = variant(names);
  const secret = secrets.get(person);
  const authorization = secret === undefined ? {} : { authorization: `Bearer ${secret}` };
  const abort = new AbortController();
  const response = await fetch(`${server.address}${path}`, {
    ...init,
    method,
    redirect: "manual",
    signal: abort.signal,
    headers: { ...Object.fromEntries(new Headers(init.headers)), ...authorization },
  });
  const isEndless =
    response.status === 200 && /follow=true|text\/event-stream/.test(path + JSON.stringify(init.headers ?? {}));
  const text = isEndless ? "" : await response.text();
  if (isEndless) abort.abort();
  const { date: _date, "x-request-id": requestId = "", ...headers } = Object.fromEntries(response.headers);
  const plain = (from: string) =>
    [requestId, names.runId, encodeURIComponent(names.runId)].reduce((text, id) => text.replaceAll(id, "ID"), from);
  const visible = Object.entries(headers).map(([name, value]) => [name, plain(value)] as const);
  return { status: response.status, headers: Object.fromEntries(visible), text: plain(text) };
}

test("every operation that names a run has a row", () => {
  const without = Object.keys(OPERATIONS).filter((route) => route.includes("{run_id}") && !(route in ROWS));
  assert.deepEqual(without, []);
});

/** A viewer may send less than a runner, and strangers may send nothing, so one state of a run shows what they learn. */
const CALLERS = [
  ["rob", "if runs are private", STATES],
  ["vera", "if runs are private", ["finished"]],
  ["nobody", "if runs are private", ["finished"]],
  ["nobody", "if everyone sees runs", ["finished"]],
] as const;

for (const [person, kind, states] of CALLERS)
  test(`${person} cannot tell a run of oz from one that does not exist, ${kind}`, async (t) => {
    const server = await startServer(t, kind === "if runs are private");
    const own = await runToEnd(engine, { tool: "say", inputs: { script: "nothing" } }, { ...oz, principal: person });
    const before = JSON.stringify(STATES.map((state) => engine.runs.get(oz, runs.get(state)?.runId ?? "")));
    // States for which the request is the same share the answer about the unknown run.
    const answers = new Map<string, PlainAnswer>();
    for (const [operation, { ofRun }] of Object.entries(OPERATIONS))
      for (const variant of ofRun)
        for (const state of states) {
          const names = { ...(runs.get(state) ?? UNKNOWN), own: own.run_id };
          const unknown = { ...names, runId: UNKNOWN.runId };
          const key = JSON.stringify(variant(unknown));
          const expected = answers.get(key) ?? (await ask(server, person, variant, unknown));
          answers.set(key, expected);
          const seen = await ask(server, person, variant, names);
          assert.deepEqual(seen, expected, `${operation} of a ${state} run: ${key}`);
          assert.ok(seen.status >= 400 || !seen.text.includes("secret-of-oz"), `${operation}: ${seen.text}`);
        }
    // Durations of running jobs grow by themselves.
    const withoutTimes = (text: string) => text.replaceAll(/"[a-z_]*(?:_ms|_at)":[^,}]*/g, "");
    const now = JSON.stringify(STATES.map((state) => engine.runs.get(oz, runs.get(state)?.runId ?? "")));
    assert.equal(withoutTimes(now), withoutTimes(before), "a request changed something");
  });

for (const person of ["nobody", "vera", "rob"] as const)
  test(`lists, searches and pages name no run of oz to ${person} if runs are private`, async (t) => {
    const server = await startServer(t, true);
    const ids = STATES.map((state) => runs.get(state)?.runId ?? "");
    for (const [operation, { ofAll }] of Object.entries(OPERATIONS))
      for (const variant of ofAll) {
        const all = STATES.map((state) => ({ ...(runs.get(state) ?? UNKNOWN), runId: "none" }));
        for (const names of new Map(all.map((each) => [JSON.stringify(variant(each)), each])).values()) {
          const { headers, text } = await ask(server, person, variant, names);
          const found = JSON.stringify(headers) + text;
          assert.ok(!ids.some((id) => found.includes(id)) && !text.includes("secret-of-oz"), `${operation}: ${text}`);
        }
      }
  });

test("counters count the runs that a user sees, except for Prometheus", async (t) => {
  const server = await startServer(t, true);
  await runToEnd(engine, { tool: "say", inputs: { script: "nothing" } }, { ...oz, principal: "vera" });
  const read = async (path: string) => (await ask(server, "vera", () => ({ method: "GET", path }), UNKNOWN)).text;
  const { total } = JSON.parse(await read("/api/runs"));
  const { run_counts: counts, ended_last_24h: ended } = JSON.parse(await read("/api/server"));
  const { tools } = JSON.parse(await read("/api/tools"));
  assert.deepEqual([counts, ended.success, ended.failure, tools[0].stats.runs], [{ COMPLETE: total }, total, 0, total]);
  assert.match(await read("/metrics"), /^weft_runs\{state="EXECUTOR_ERROR"\} 1$/m);
});

test("users who may see a run of oz get an answer, and users who may change it change it", async (t) => {
  const server = await startServer(t, true);
  const open = await startServer(t, false);
  const names = { ...(runs.get("finished") ?? UNKNOWN), own: runs.get("failed")?.runId ?? "" };
  for (const [operation, { ofRun }] of Object.entries(OPERATIONS))
    for (const variant of ofRun) {
      const { method, path } = variant(names);
      // No user may browse the folder of runs.
      if (method !== "GET" || operation === "GET /api/files" || /none|missing|invalid/.test(path)) continue;
      for (const [target, person] of [
        [server, "ada"],
        [open, "vera"],
        [open, "rob"],
      ] as const) {
        const { status, text } = await ask(target, person, variant, names);
        assert.ok(status < 400 || status === 416, `${operation} for ${person}: ${status} ${path} ${text}`);
      }
    }
  const others = await ask(open, "rob", () => ({ method: "DELETE", path: `/api/runs/${names.runId}` }), names);
  assert.equal(others.status, 403);
});

test("a socket of someone who cannot see a run gets the same answer as for a missing one, and no events", async (t) => {
  const server = await startServer(t, true);
  for (const person of ["vera", "rob"] as const) {
    const headers = { authorization: `Bearer ${secrets.get(person)}` };
    const client = await EventSocketClient.open(server.address, { origin: server.address, headers });
    for (const state of STATES) {
      const details = [];
      for (const runId of [runs.get(state)?.runId ?? "", UNKNOWN.runId]) {
        client.send({ op: "subscribe", run_id: runId, since: 0 });
        details.push(JSON.stringify(await client.next()).replaceAll(runId, "ID"));
      }
      assert.equal(details[0], details[1]);
      assert.match(details[0] ?? "", /"op":"error"/);
    }
    client.send({ op: "subscribe", since: 0 });
    const own = await runToEnd(engine, { tool: "say", inputs: { script: "nothing" } }, { ...oz, principal: person });
    const receivedRunIds = new Set<string | null>();
    while (!receivedRunIds.has(own.run_id)) {
      const frame = await client.next();
      if (frame.op === "events") for (const { run_id: runId } of frame.events) receivedRunIds.add(runId);
    }
    for (const state of STATES) assert.ok(!receivedRunIds.has(runs.get(state)?.runId ?? ""));
    await client.close();
  }
  const refused = new EventSocketClient(server.address, { origin: server.address });
  assert.equal(await refused.refusal(), 401);
});

test("a stream of all events has none of oz for a caller who may not see the runs", async (t) => {
  const server = await startServer(t, true);
  const authorization = `Bearer ${secrets.get("rob")}`;
  const response = await fetch(`${server.address}/api/events?since=0`, {
    headers: { accept: "text/event-stream", authorization },
  });
  const own = await runToEnd(engine, { tool: "say", inputs: { script: "nothing" } }, { ...oz, principal: "rob" });
  let text = "";
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk;
    if (text.includes(own.run_id) && text.includes('"run.ended"')) break;
  }
  for (const state of STATES) assert.ok(!text.includes(runs.get(state)?.runId ?? ""), state);
});
