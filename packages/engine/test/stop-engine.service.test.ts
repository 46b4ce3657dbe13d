import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { temporaryFolder } from "@weft/shared/testing/temporary-folder.ts";
import { caller, startRun, untilRun } from "../src/testing/drive-runs.ts";
import { openTestEngine } from "../src/testing/open-test-engine.ts";
import { ScriptedExecutor } from "../src/testing/scripted-executor.ts";
import { runsOf } from "../src/testing/ask-runs.ts";

const executor = new ScriptedExecutor();

describe("an engine that has stopped", () => {
  for (const first of ["drain", "detach", "cancel"] as const)
    for (const second of ["drain", "detach", "cancel"] as const)
      it(`is stopped twice without an error: ${first}, then ${second}`, async () => {
        const root = temporaryFolder({ "catalog/": "" });
        const engine = await openTestEngine(root, { executor, jobs: 1 });
        await engine.stop(first);
        await assert.doesNotReject(engine.stop(second));
      });
});

describe("a paused run", () => {
  const DOCUMENT = `cwlVersion: v1.2
class: CommandLineTool
baseCommand: hang
inputs: {}
outputs: {}
`;

  async function pausedRun() {
    const root = temporaryFolder();
    const place = join(root, "catalog/tools/sleep/1.0.0");
    await mkdir(place, { recursive: true });
    await writeFile(join(place, "sleep.cwl"), DOCUMENT);
    const open = () => openTestEngine(root, { executor });
    const engine = await open();
    const [paused, other] = [
      await startRun(engine, { tool: "sleep", inputs: {} }),
      await startRun(engine, { tool: "sleep", inputs: {} }),
    ];
    for (const runId of [paused, other]) await untilRun(engine, runId, ({ job_counts }) => job_counts["RUNNING"] === 1);
    await runsOf(engine).pause(caller, paused);
    return { engine, paused, open };
  }

  for (const first of ["cancel", "drain"] as const)
    it(`has ended, with its jobs, when the server has stopped and aborted all runs (first asked to ${first})`, async () => {
      const { engine, paused, open } = await pausedRun();
      const draining = first === "drain" ? engine.stop("drain") : undefined;
      await engine.stop("cancel");
      await draining;
      const next = await open();
      assert.equal(next.runs.get(caller, paused).state, "CANCELED");
      await next.stop("cancel");
    });
});
