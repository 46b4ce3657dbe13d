import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, symlinkSync } from "node:fs";
import { link, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { describe, it } from "node:test";
import { writeFiles } from "@weft/shared/testing/temporary-folder.ts";
import { provenanceOf } from "../src/testing/ask-runs.ts";
import { whileSwapping } from "../src/files/testing/while-swapping.ts";
import { askArchive } from "../src/testing/ask-engine.ts";
import { Refusal } from "@weft/shared/records/refusal.ts";
import { caller, startRun, untilRun } from "../src/testing/drive-runs.ts";
import { lacks } from "@weft/tooling/lacks.ts";
import { file, folder, openReachEngine, TOKEN } from "./reach-engine.ts";

const { at, engine, refusalOf, start, textOf } = await openReachEngine();

describe("a job that leaves links and special files", () => {
  const jobFile = (path: string) => `jobs/main@1/out/${path}`;

  it("cannot make the server serve their targets", async () => {
    const script = `ln -s ${at("state/access-token")} t; ln -s ${at("outside")} o; ln -s ../launch l; ln -s .. up; mkfifo p; echo fine > ok`;
    const run = await start("script", { script });
    const paths = ["t", "o/secret.txt", "l", "up/launch", "up/../../../../../access-token", "p"];
    for (const path of paths) await assert.rejects(textOf(run.run_id, jobFile(path)), { code: "file-not-found" }, path);
    assert.equal(await textOf(run.run_id, jobFile("ok")), "fine\n");
  });

  it("is not served a hard link to a file of the server", async () => {
    const run = await start("script", { script: "echo fine > ok" });
    await link(at("state/access-token"), at(`state/runs/${run.run_id}/jobs/main@1/out/hard`));
    await assert.rejects(textOf(run.run_id, jobFile("hard")), { code: "file-not-found" });
  });

  it("gets nothing into logs, archives, bundles and crates by replacing files with links afterwards", async () => {
    const { run_id: runId } = await start("logged", {});
    const replaced = ["jobs/main@1/out/said.txt", "jobs/main@1/stderr", "jobs/main@1/out/out/made", "outputs/out/made"];
    for (const path of replaced) {
      await rm(at(`state/runs/${runId}/${path}`));
      await symlink(at("state/access-token"), at(`state/runs/${runId}/${path}`));
      await assert.rejects(textOf(runId, path), { code: "file-not-found" }, path);
    }
    for (const stream of ["stdout", "stderr"] as const)
      await assert.rejects(engine.files.jobLog(caller, { runId, jobId: "main", stream }), { code: "file-not-found" });
    const params = { run_id: runId, job_id: "main" };
    const bundle = (data: boolean) =>
      askArchive(engine, "GET /api/runs/{run_id}/jobs/{job_id}/bundle", { caller, params, query: { data } });
    const archives = [
      () => askArchive(engine, "GET /api/runs/{run_id}/outputs.zip", { caller, params: { run_id: runId } }),
      ...[true, false].map((data) => () => bundle(data)),
      () => provenanceOf(engine).crateArchive(caller, runId),
    ];
    for (const archive of archives) {
      const bytes = await archive()
        .then((made) => buffer(made.open()))
        .catch((error: unknown) => Buffer.from(String(error)));
      assert.ok(!bytes.includes(TOKEN), archive.toString());
    }
    assert.ok(!JSON.stringify(engine.runs.job(caller, runId, "main")).includes(TOKEN));
  });

  it("publishes no file behind a link that leads out", async () => {
    for (const script of [
      `ln -s ${at("state/access-token")} file`,
      `mkdir out; ln -s ${at("outside")} out/o`,
      `mkdir -p out/a; ln -s ${at("state/access-token")} out/a/t`,
    ]) {
      const run = await start("script", { script });
      assert.match(JSON.stringify(run.state_reason), /OUTPUT_INVALID.*link/, script);
      assert.ok(!JSON.stringify(run).includes(TOKEN));
    }
  });
});

describe("folders of a job that link to each other", () => {
  const names = Array.from({ length: 8 }, (_, index) => `f${index}`).join(" ");
  const script = `mkdir out; cd out
    for a in ${names}; do mkdir $a; echo $a > $a/file; done
    for a in ${names}; do for b in ${names}; do ln -s ../$b $a/to-$b; done; done`;

  it("are published once each, archived, and digested for the cache", async () => {
    const run = await start("script", { script });
    assert.equal(run.state, "COMPLETE", JSON.stringify(run.state_reason));
    const files = execFileSync("find", [at(`state/runs/${run.run_id}/outputs`), "-type", "f"]).toString();
    assert.equal(files.trim().split("\n").length, 8);
    assert.equal(await textOf(run.run_id, "outputs/out/f0/file"), "f0\n");
    const params = { run_id: run.run_id };
    const archive = await askArchive(engine, "GET /api/runs/{run_id}/outputs.zip", { caller, params });
    await buffer(archive.open());
    const again = await start("script", { script });
    const { cache } = engine.runs.job(caller, again.run_id, "main");
    assert.equal(cache?.decision, "hit", cache?.reason ?? "");
  });
});

describe("a job that is running", () => {
  it("shows its outputs and logs, and neither how it was started nor its secrets", async () => {
    const gate = at("gate");
    const runId = await startRun(engine, { tool: "login", inputs: { password: TOKEN, gate } });
    const attempt = `jobs/main@1`;
    await untilRun(engine, runId, () => existsSync(at(`state/runs/${runId}/${attempt}/out/plain`)));
    const internal = ["launch", "record", "secret-files.json", "in", "tmp", "out/../launch"];
    for (const path of [...internal, "out/conf/login", "out/conf/../conf/login"]) {
      await assert.rejects(engine.files.runFile(caller, runId, `${attempt}/${path}`), { code: "file-not-found" }, path);
      const asInput = await refusalOf("read", { file: file(`weft-data://runs/${runId}/${attempt}/${path}`) });
      assert.match(asInput, /missing-file|file-not-allowed/, path);
    }
    for (const path of ["", "/out", "/out/conf"]) {
      const refusal = await refusalOf("list", { tree: folder(`weft-data://runs/${runId}/${attempt}${path}`) });
      assert.match(refusal, /missing-file/, path);
    }
    const linked = at("data/to-launch");
    symlinkSync(at(`state/runs/${runId}/${attempt}/launch`), linked);
    const asLink = await refusalOf("read", { file: file("weft-data://data/to-launch") });
    assert.match(asLink, /missing-file|file-not-allowed/);
    assert.equal(await textOf(runId, `${attempt}/out/plain`), "plain\n");
    const log = await engine.files.jobLog(caller, { runId, jobId: "main", stream: "stderr" });
    (await log.open()).close();
    await writeFile(gate, "");
    await untilRun(engine, runId, ({ state }) => state === "COMPLETE");
  });
});

describe("a folder that a job swaps for a link", { skip: lacks("python3") }, () => {
  /** A run whose output folder has a harmless folder `a`, and a link `b` to the state folder. */
  async function swappable(): Promise<readonly [runId: string, out: string]> {
    const { run_id: runId } = await start("script", { script: "true" });
    const out = at(`state/runs/${runId}/jobs/main@1/out`);
    writeFiles(out, { "a/access-token": "harmless" });
    await symlink(at("state"), join(out, "b"));
    return [runId, out];
  }

  it("never discloses the target of the link, even after many requests", async () => {
    const [runId, out] = await swappable();
    const seen = new Map<string, number>();
    await whileSwapping(out, ["a", "b"], async () => {
      const isRare = (text: string) => (seen.get(text) ?? 0) < 100;
      for (let round = 0; round < 1500 || isRare("harmless") || isRare("absent"); round += 1) {
        const text = await serve(runId, "jobs/main@1/out/a/access-token");
        seen.set(text, (seen.get(text) ?? 0) + 1);
      }
    });
    assert.equal(seen.get(TOKEN) ?? 0, 0, JSON.stringify([...seen]));
  });

  it("never gives it away as an input", async () => {
    const [runId, out] = await swappable();
    await whileSwapping(out, ["a", "b"], async () => {
      for (let round = 0; round < 100; round += 1) {
        const location = `weft-data://runs/${runId}/jobs/main@1/out/a/access-token`;
        const plan = await engine.runs
          .plan(caller, { tool: "read", inputs: { file: file(location) } })
          .then(JSON.stringify, (error: unknown) => String(error));
        assert.ok(!plan.includes(TOKEN), plan);
      }
    });
  });

  async function serve(runId: string, path: string): Promise<string> {
    try {
      const opened = await (await engine.files.runFile(caller, runId, path)).open();
      return (await buffer(opened.stream())).toString();
    } catch (error) {
      if (error instanceof Refusal && error.code === "file-not-found") return "absent";
      throw error;
    }
  }
});
