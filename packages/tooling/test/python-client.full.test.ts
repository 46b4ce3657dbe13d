import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { lacks } from "../lacks.ts";
import { buildWheel } from "../release/python-client.mjs";
import { drivesRuns, openClientServer, ROOT, run, type ClientServer } from "./client-programs.ts";

const EPOCH_S = 1_700_000_000;
const NOTEBOOKS = join(ROOT, "clients/notebooks");
const skip = lacks("python3");

let server: ClientServer;
/** Where the wheel is installed. */
let site: string;

const python = (args: readonly string[]) => ({
  command: "python3",
  args: ["-B", ...args],
  env: { PYTHONPATH: site, WEFT_URL: server.address, WEFT_TOKEN: server.token, PYTHONIOENCODING: "utf-8" },
});

async function script(text: string): Promise<void> {
  const head =
    "import os\nfrom weft_client import *\nweft = Weft(os.environ['WEFT_URL'], token=os.environ['WEFT_TOKEN'])\n";
  const { code, stdout, stderr } = await run(python(["-c", `${head}${text}\nprint("done")\n`]));
  assert.deepEqual([code, stdout.trim().split("\n").at(-1)], [0, "done"], stderr);
}

describe("the Python client, as a wheel", { skip }, () => {
  before(async () => {
    server = await openClientServer();
    const wheel = await buildWheel({ out: server.folder, epochS: EPOCH_S });
    site = join(server.folder, "site");
    const install = ["-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--target", site, wheel];
    const { status } = spawnSync("python3", install);
    // A Python without pip can import from the wheel, too.
    if (status !== 0) site = wheel;
  });
  after(() => server.close());

  drivesRuns(
    () => server,
    () => python(["-m", "weft_client"]),
  );

  it("says in one line why it cannot start", async () => {
    const inputs = join(server.folder, "broken.json");
    writeFileSync(inputs, "{");
    const cases: readonly [string, string, RegExp][] = [
      [server.address, "nowhere.json", /^\[Errno 2\] No such file or directory: 'nowhere\.json'\n$/],
      [server.address, inputs, /^\S+broken\.json is not valid JSON: .* line 1 column 2 \(char 1\)\n$/],
    ];
    for (const [address, file, message] of cases) {
      const { code, stderr } = await run(python(["-m", "weft_client", address, "practice-load", file]));
      assert.equal(code, 1);
      assert.match(stderr, message);
    }
    writeFileSync(inputs, "{}");
    for (const address of ["127.0.0.1:8080", "http://127.0.0.1:1"]) {
      const { code, stderr } = await run(python(["-m", "weft_client", address, "practice-load", inputs]));
      assert.equal(code, 1);
      assert.match(stderr, /^no answer from \S+ \(such as http:\/\/127\.0\.0\.1:8080\): .*\n$/);
    }
  });

  it("uploads, pages, downloads and reads logs", () =>
    script(`
file = weft.upload("one two.txt", b"one two three")
run = weft.start("text-statistics", {"texts": [file]}, name="by python", tags={"study": "clients"})
assert run.wait().outcome == "success" and run.state == "COMPLETE"
jobs = list(run.jobs(page_size=1))
assert len(jobs) == len({job.id for job in jobs}) > 1
assert isinstance(jobs[0].log("stdout"), str)
found = [value for value in run.outputs().values() if isinstance(value, File)]
assert len(found[0].read()) == found[0].size
target = os.path.join(os.environ["PYTHONPATH"], "..", "saved.csv")
found[0].save(target)
assert os.path.getsize(target) == found[0].size
assert [run.name for run in weft.runs(tag="study:clients")] == ["by python"]
assert weft.run(run.id).name == "by python"
for name, code in (("none", "run-not-found"), ("../server", "bad-request-target")):
    try:
        weft.run(name)
        raise AssertionError(name)
    except WeftError as error:
        assert error.code == code, error.code
`));

  it("aborts a run whose with statement ends early, and raises for a failed one", () =>
    script(`
with weft.start("practice-load", {"count": 20, "seconds": 60}) as run:
    pass
assert run.state == "CANCELED", run.state
try:
    weft.start("practice-load", {"count": 2, "seconds": 0, "fail_index": 1}).require()
    raise AssertionError("a failed run counts as complete")
except RunFailed as error:
    assert error.state == "EXECUTOR_ERROR" and "EXECUTOR_ERROR" in str(error)
`));

  it("shows a run and its results as HTML that escapes the server's texts", () =>
    script(`
text = weft.upload("a.txt", b"a b")
run = weft.start("text-statistics", {"texts": [text]}, name="<script>alert(1)</script>").require()
card = run._repr_html_()
assert "<script" not in card and "&lt;script&gt;" in card and "top-words.csv" in card, card
table = run.results()
assert "top_words" in table.columns and len(table) == len(table.samples) == len(list(table))
evil = Table(["o"], [{"o": File(None, {"class": "File", "location": "javascript:alert(1)", "basename": "<b>"})}], ["<i>"])
html = evil._repr_html_()
assert "javascript" not in html and "<b>" not in html and "<i>" not in html, html
`));

  it("does not send its token to another server", () =>
    script(`
run = weft.start("practice-load", {"count": 1, "seconds": 0}).require()
file = run.outputs()["log"]
file.value["location"] = "http://127.0.0.1:9/api/runs/x/files/outputs/a"
try:
    file.read()
    raise AssertionError("it called another server")
except ValueError as error:
    assert "is not an address of" in str(error)
`));

  it("shows progress as lines, a bar or HTML", () =>
    script(`
from weft_client.progress import bar_html, bar_text
assert bar_text("a", "RUNNING", 1, 2) == "a [" + "█" * 15 + "·" * 15 + "] 1 of 2 jobs, RUNNING"
assert bar_text("a", "RUNNING", 3, None).endswith("] 3 jobs, RUNNING")
assert bar_text("a", "RUNNING", 0, 0).endswith("] 0 jobs, RUNNING")
assert 'value="1" max="2"' in bar_html("<a>", "RUNNING", 1, 2) and "<a>" not in bar_html("<a>", "RUNNING", 1, 2)
import contextlib, io
with contextlib.redirect_stderr(io.StringIO()) as printed:
    weft.start("practice-load", {"count": 2, "seconds": 0}).wait(progress=True)
lines = printed.getvalue().splitlines()
assert len(lines) == len(set(lines)) > 0 and lines[-1].endswith("jobs, COMPLETE"), lines
`));

  for (const name of readdirSync(NOTEBOOKS).filter((entry) => entry.endsWith(".ipynb")))
    it(`runs the notebook ${name}`, async () => {
      const { code, stdout, stderr } = await run(python([join(NOTEBOOKS, "run_notebook.py"), join(NOTEBOOKS, name)]));
      assert.equal(code, 0, stderr);
      assert.notEqual(stdout, "");
    });

  it("has types that mypy accepts", { skip: lacks("mypy") }, async () => {
    const words = ["-m", "mypy", "--strict", "--cache-dir", join(server.folder, "mypy"), "src"];
    const { code, stdout } = await run({ command: "python3", args: words, cwd: join(ROOT, "clients/python") });
    assert.equal(code, 0, stdout);
  });

  it("has the same bytes each time it is built", async () => {
    const digest = async () => readFileSync(await buildWheel({ out: server.folder, epochS: EPOCH_S }), "base64");
    assert.equal(await digest(), await digest());
  });
});
