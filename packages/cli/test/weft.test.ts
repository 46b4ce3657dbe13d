import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { createClient } from "@weft/shared/client.ts";
import type { Run } from "@weft/shared/records/run-record.ts";
import { isFinal } from "@weft/shared/records/state-names.ts";
import { startServer, weft } from "./serving.ts";

const CATALOG = fileURLToPath(new URL("../../catalog/", import.meta.url));
const root = await mkdtemp(join(tmpdir(), "weft-cli-"));
after(() => rm(root, { recursive: true }));

const imaging = join(CATALOG, "networks/imaging-cohort/imaging-cohort.cwl");
const twoSubjects = join(CATALOG, "networks/imaging-cohort/examples/two-subjects-fixed.yml");

type Client = ReturnType<typeof createClient>;

async function ended(client: Client, runId: string): Promise<Run> {
  for (;;) {
    const status = await client("GET /api/runs/{run_id}/status", { params: { run_id: runId } });
    if (isFinal(status.state)) return client("GET /api/runs/{run_id}", { params: { run_id: runId } });
    await client("GET /api/runs/{run_id}/status", {
      params: { run_id: runId },
      headers: { prefer: "wait=10", "if-none-match": `W/"${runId}-${status.revision}"` },
    }).catch(() => undefined);
  }
}

/** Every checksum of an output object with its place, whatever the locations are. */
function checksums(value: unknown, place = ""): string[] {
  if (typeof value !== "object" || value === null) return [];
  const { checksum, basename } = value as { readonly checksum?: unknown; readonly basename?: unknown };
  const own = typeof checksum === "string" ? [`${place} ${String(basename)} ${checksum}`] : [];
  return [...own, ...Object.entries(value).flatMap(([name, item]) => checksums(item, `${place}/${name}`))];
}

describe("weft run and weft serve", () => {
  it("give the same output object and checksums for the imaging network", async () => {
    const outdir = join(root, "out");
    const local = await weft(["run", "--outdir", outdir, imaging, twoSubjects]);
    assert.equal(local.code, 0, local.stderr);
    const outputs: unknown = JSON.parse(local.stdout);
    const server = await startServer(["--state", join(root, "same")]);
    const client = createClient(server.address);
    const network = await client("GET /api/networks/{id}", { params: { id: "imaging-cohort" } });
    const inputs = network.examples.find(({ name }) => name === "two-subjects-fixed")?.inputs;
    assert.ok(inputs);
    const { run_id: runId } = (await client("POST /api/runs", { body: { network: "imaging-cohort", inputs } })) as Run; // not a dry run
    const run = await ended(client, runId);
    assert.equal(run.state, "COMPLETE");
    assert.ok(checksums(outputs).length >= 8);
    assert.deepEqual(checksums(run.outputs).toSorted(), checksums(outputs).toSorted());
    assert.match(await readFile(join(outdir, "report.html"), "utf8"), /<html/);
    await server.stop("SIGTERM");
  });
});

describe("weft serve", () => {
  it("takes up running jobs after kill -9 without running one twice", async () => {
    const state = join(root, "killed");
    const first = await startServer(["--state", state], { direct: true });
    const client = createClient(first.address);
    const { run_id: runId } = (await client("POST /api/runs", {
      body: { network: "practice-load", inputs: { count: 6, seconds: 1.5, children: 1 } },
    })) as Run;
    const jobsOf = async (server: typeof client) =>
      (await server("GET /api/runs/{run_id}/jobs", { params: { run_id: runId }, query: { page_size: 100 } })).jobs;
    const running = async () => (await jobsOf(client)).filter(({ state }) => state === "RUNNING");
    let begun = await running();
    while (begun.length < 2) begun = await running();
    await first.stop("SIGKILL");
    const second = await startServer(["--state", state]);
    const again = createClient(second.address);
    const run = await ended(again, runId);
    assert.equal(run.state, "COMPLETE");
    const jobs = await jobsOf(again);
    assert.deepEqual([...new Set(jobs.map((job) => job.state))], ["COMPLETE"]);
    const attempts = new Map(jobs.map((job) => [job.job_id, job.attempt]));
    assert.deepEqual(
      begun.map((job) => attempts.get(job.job_id)),
      begun.map(() => 1),
    );
    // A job that the first server had not started yet is the next attempt; of the one before, nobody wrote that it ran.
    for (const { job_id: jobId } of jobs.filter(({ attempt }) => attempt > 1))
      assert.equal(await readFile(join(state, "runs", runId, "jobs", `${jobId}@1`, "record"), "utf8"), "");
    const { events } = await again("GET /api/events", { query: { page_size: 500 } });
    assert.deepEqual(
      events.map(({ seq }) => seq),
      events.map((_, index) => index + 1),
    );
    await second.stop("SIGTERM");
  });

  it("lets only one server have a state folder, and names the other", async () => {
    const state = join(root, "held");
    const first = await startServer(["--state", state], { direct: true });
    const second = await weft(["serve", "--port", "0", "--state", state]);
    assert.equal(second.code, 78);
    assert.match(second.stderr, new RegExp(`held by another Weft server \\(process ${first.child.pid}\\)`));
    await first.stop("SIGKILL");
    const third = await startServer(["--state", state]);
    await third.stop("SIGINT");
  });

  const refusals: [string, string[], number, RegExp][] = [
    ["a host that others can reach", ["--host", "0.0.0.0"], 78, /0\.0\.0\.0/],
    ["a token that would go in the clear", ["--host", "0.0.0.0", "--auth", "token"], 78, /--behind-proxy/],
    ["an unknown way to sign in", ["--auth", "password"], 2, /--auth must be none, token or oidc/],
    ["an account that is not there", ["--peer-user", "no-such-account"], 2, /no account "no-such-account"/],
    ["a proxy that is no address", ["--trust-proxy", "lab"], 78, /--trust-proxy takes an address/],
    ["an unknown flag", ["--prot", "1"], 2, /--prot/],
    ["a port that is no number", ["--port", "http"], 2, /--port must be a whole number/],
    ["a catalog that is not there", ["--catalog", join(root, "nowhere")], 2, /--catalog: there is no folder/],
    ["a data folder without a name", ["--data", "/tmp"], 2, /NAME=DIR/],
    ["a folder for results without a name", ["--sink", "/tmp"], 2, /--sink must be NAME=DIR/],
    ["a folder for results that is not there", ["--sink", "r=/no/such"], 2, /--sink: there is no folder/],
    ["a folder for results around its own state", ["--sink", `r=${root}`], 2, /around the state folder/],
  ];
  for (const [name, args, code, message] of refusals) {
    it(`refuses ${name}`, async () => {
      const result = await weft(["serve", "--state", join(root, "never"), ...args]);
      assert.equal(result.code, code, result.stderr);
      assert.match(result.stderr, message);
    });
  }
});

describe("weft run", () => {
  const document = async (name: string, text: string) => {
    await mkdir(join(root, "docs"), { recursive: true });
    const path = join(root, "docs", name);
    await writeFile(path, text);
    return path;
  };
  const tool = (command: string, more = "") =>
    `cwlVersion: v1.2\nclass: CommandLineTool\nbaseCommand: [sh, -c, '${command}']\ninputs:\n  n: int?\noutputs: {}\n${more}`;

  it("ends with 1 and shows what the tool wrote when it fails", async () => {
    const result = await weft(["run", "--quiet", await document("fail.cwl", tool("echo broken pipe >&2; exit 4"))], {
      cwd: root,
    });
    assert.equal(result.code, 1);
    assert.match(result.stderr, /\| broken pipe/);
    assert.match(result.stderr, /exit code 4/);
    assert.equal(result.stdout, "");
  });

  it("points at the line and column of a wrong document", async () => {
    const path = await document(
      "wrong.cwl",
      "cwlVersion: v1.2\nclass: CommandLineTool\nbaseComand: echo\ninputs: {}\noutputs: {}\n",
    );
    const result = await weft(["run", path], { cwd: root });
    assert.equal(result.code, 1);
    assert.match(result.stderr, /wrong\.cwl:3:1: error: .*baseComand/);
    assert.match(result.stderr, /baseCommand/);
  });

  it("points at the place of a wrong input", async () => {
    const path = await document("int.cwl", tool("true"));
    const inputs = await document("int.yml", "# a comment\nn: three\n");
    const result = await weft(["run", path, inputs], { cwd: root });
    assert.equal(result.code, 1);
    assert.match(result.stderr, /int\.yml:2:\d+: error: .*int/);
  });

  it("names the field, the limit and the first line of an expression that does not end", async () => {
    const path = await document(
      "endless.cwl",
      `${tool("true")}requirements: {InlineJavascriptRequirement: {}}\narguments: ["\${for (;;);}"]\n`,
    );
    const result = await weft(["run", "--quiet", "--eval-timeout", "1", path], { cwd: root });
    assert.equal(result.code, 1);
    assert.match(
      result.stderr,
      /the expression `\$\{for \(;;\);\}` did not end within 1 s \(arguments\.0\.valueFrom\)/,
    );
  });

  it("ends with 33 for what nobody can run", async () => {
    const path = await document("operation.cwl", "cwlVersion: v1.2\nclass: Operation\ninputs: {}\noutputs: {}\n");
    assert.equal((await weft(["run", path], { cwd: root })).code, 33);
  });

  it("ends with 2 when it is called wrongly", async () => {
    assert.equal((await weft(["run"])).code, 2);
    assert.equal((await weft(["rum"])).code, 2);
    assert.equal((await weft(["--help"])).code, 0);
  });

  it("runs a document of the web with inputs of the web, and says why there is none", async () => {
    const files: Readonly<Record<string, string>> = {
      "/cat.cwl":
        "cwlVersion: v1.2\nclass: CommandLineTool\nbaseCommand: cat\nstdin: $(inputs.x.path)\ninputs: {x: File}\noutputs: {o: stdout}\nstdout: o.txt\n",
      "/in.yml": "x: {class: File, location: data/x.txt}\n",
      "/data/x.txt": "from the web\n",
    };
    const web = createServer((request, response) => {
      const content = files[request.url ?? ""];
      response.writeHead(content === undefined ? 404 : 200).end(content);
    });
    await new Promise<void>((resolve) => web.listen(0, "127.0.0.1", resolve));
    const base = `http://127.0.0.1:${(web.address() as AddressInfo).port}`; // it listens on a port
    const outdir = join(root, "web");
    const run = (document: string, ...more: string[]) =>
      weft(["run", "--outdir", outdir, ...more, `${base}/${document}`, `${base}/in.yml`]);
    const result = await run("cat.cwl");
    assert.equal(result.code, 0, result.stderr);
    assert.match(result.stderr, /Fetching http:\S+\/data\/x\.txt/);
    assert.equal(await readFile(join(outdir, "o.txt"), "utf8"), "from the web\n");
    const missing = await run("none.cwl");
    assert.equal(missing.code, 1);
    assert.match(missing.stderr, /none\.cwl: the server answered 404/);
    const refused = await run("cat.cwl", "--allow-http", "example.org");
    assert.match(refused.stderr, /127\.0\.0\.1 is not among the hosts/);
    assert.equal((await run("cat.cwl", "--allow-http", "http://x/")).code, 2);
    await new Promise((resolve) => web.close(resolve));
  });

  it("plans without starting or writing anything", async () => {
    const path = await document(
      "planned.cwl",
      tool("touch started").replace("int?", "{ type: int, inputBinding: {} }"),
    );
    const inputs = await document("planned.yml", "n: 7\n");
    const outdir = join(root, "planned");
    const plan = (...more: string[]) => weft(["run", "--outdir", outdir, "--plan", ...more, path, inputs]);
    const text = await plan();
    assert.equal(text.code, 0, text.stderr);
    assert.match(
      text.stdout,
      /^Nothing was started[^]*the tool: 1 job\n[^]*container: none[^]*command: sh -c 'touch started' 7 /,
    );
    const record = await plan("--json");
    const { jobs, steps } = JSON.parse(record.stdout) as { jobs: { command: { argv: string[] } }[]; steps: unknown[] };
    assert.deepEqual(jobs[0]?.command.argv, ["sh", "-c", "touch started", "7"]);
    assert.equal(steps.length, 1);
    assert.equal(existsSync(outdir), false);
  });

  it("says what keeps a plan from being made, and that --json belongs to --plan", async () => {
    const path = await document("unplanned.cwl", tool("true").replace("int?", "int"));
    const missing = await weft(["run", "--plan", path]);
    assert.deepEqual([missing.code, missing.stdout], [1, ""]);
    assert.match(missing.stderr, /`n` of type int is required/);
    const greedy = await document(
      "greedy.cwl",
      tool("true", "requirements: {ResourceRequirement: {ramMin: 1000000000}}\n"),
    );
    const refused = await weft(["run", "--plan", greedy]);
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /1000000000 MiB of memory[^]*hint: /);
    assert.equal((await weft(["run", "--json", path])).code, 2);
  });

  it("replaces what an earlier run left in the output folder", async () => {
    const path = await document(
      "same.cwl",
      "cwlVersion: v1.2\nclass: CommandLineTool\nbaseCommand: [echo, hi]\ninputs: {}\noutputs: { o: stdout }\nstdout: same.txt\n",
    );
    const outdir = join(root, "again");
    for (const _ of [1, 2]) {
      const result = await weft(["run", "--quiet", "--outdir", outdir, path]);
      assert.equal((JSON.parse(result.stdout) as { o: { path: string } }).o.path, join(outdir, "same.txt"));
    }
    assert.equal(await readFile(join(outdir, "same.txt"), "utf8"), "hi\n");
  });
});

describe("weft validate", () => {
  it("accepts every document of the shipped catalog", async () => {
    const result = await weft(["validate", imaging, join(CATALOG, "tools/threshold/2.0.0/threshold.cwl")]);
    assert.equal(result.code, 0, result.stdout);
    assert.match(result.stdout, /Workflow is valid/);
  });

  it("accepts a library of processes, and checks each of them", async () => {
    const path = join(root, "library.cwl");
    const operation = (id: string, type: string) => `{class: Operation, id: ${id}, inputs: {x: ${type}}, outputs: []}`;
    await writeFile(path, `cwlVersion: v1.2\n$graph: [${operation("one", "int")}, ${operation("two", "string")}]\n`);
    const sound = await weft(["validate", path]);
    assert.deepEqual([sound.code, sound.stdout], [0, `${path}: all 2 processes are valid\n`]);
    await writeFile(path, `cwlVersion: v1.2\n$graph: [${operation("one", "int")}, ${operation("two", "sting")}]\n`);
    const wrong = await weft(["validate", path]);
    assert.equal(wrong.code, 1);
    assert.match(wrong.stdout, /unknown type `sting`[^]*not valid, 1 error\n$/);
  });

  it("ends with 1 and file:line:column for a wrong one", async () => {
    const path = join(root, "bad.cwl");
    await writeFile(
      path,
      "cwlVersion: v1.2\nclass: Workflow\ninputs: {}\noutputs: {}\nsteps:\n  a:\n    run: missing.cwl\n    in: {}\n    out: []\n",
    );
    const result = await weft(["validate", path]);
    assert.equal(result.code, 1);
    assert.match(result.stdout, /bad\.cwl:7:\d+: error: .*missing\.cwl/);
  });
});
