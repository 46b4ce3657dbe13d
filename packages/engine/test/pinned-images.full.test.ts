import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { isFinal } from "@weft/shared/records/state-names.ts";
import { caller, untilRun } from "../src/testing/drive-runs.ts";
import { openTestEngine } from "../src/testing/open-test-engine.ts";
import { runProgram } from "../src/executor/run-program.ts";
import { importImage, preparePodman } from "./podman.ts";

const IMAGE = "localhost/weft-test-pinned:1";
const OTHER = "localhost/weft-test-pinned:2";
const why = (await preparePodman()) ?? (await importImage(IMAGE, "first"));

/** The image's id; what has no tag any more keeps it. */
async function idOf(name: string): Promise<string> {
  const { stdout } = await runProgram("podman", ["image", "inspect", "--format={{.Id}}", name]);
  return stdout.trim();
}

describe("a run in a container that is reproduced", { skip: why ?? false }, async () => {
  const root = await mkdtemp(join(tmpdir(), "weft-pinned-"));
  const first = await idOf(IMAGE);
  const folder = join(root, "catalog/tools/mark/1.0.0");
  await mkdir(folder, { recursive: true });
  await writeFile(
    join(folder, "mark.cwl"),
    `{cwlVersion: v1.2, class: CommandLineTool, requirements: {DockerRequirement: {dockerPull: "${IMAGE}"}},
      baseCommand: [cat, /mark], inputs: {}, outputs: {mark: stdout}}`,
  );
  const open = () => openTestEngine(root, { container: "podman" });
  let engine = await open();
  after(async () => {
    await engine.stop("cancel");
    await rm(root, { recursive: true });
    for (const image of [IMAGE, OTHER, first]) await runProgram("podman", ["rmi", "--force", image]);
  });

  const reproduce = async (runId: string) => {
    const again = await engine.runs.reproduce(caller, runId, {});
    const { reproduction } = await untilRun(engine, again.run_id, (run) => run.reproduction?.verdict != null);
    return { job: engine.runs.job(caller, again.run_id, "main"), verdict: reproduction?.verdict };
  };

  it("runs in the exact image even if its tag has moved, and reports an image that no longer exists", async () => {
    const body = { tool: "mark", inputs: {} };
    const { run } = await engine.runs.create(caller, { body, idempotencyKey: undefined });
    const original = await untilRun(engine, run.run_id, ({ state }) => isFinal(state));
    assert.equal(original.state, "COMPLETE", JSON.stringify(original.state_reason));
    assert.equal(await importImage(IMAGE, "second"), undefined);

    const same = await reproduce(original.run_id);
    assert.equal(same.verdict?.sentence, "Same document, same inputs, same tools: the output is identical.");
    assert.deepEqual(same.verdict.surroundings, []);
    const { container } = engine.runs.job(caller, original.run_id, "main");
    assert.equal(same.job.container, container);

    await runProgram("podman", ["rmi", "--force", first]);
    // A server believes for a while that an image is there.
    await engine.stop("cancel");
    engine = await open();
    const other = await reproduce(original.run_id);
    assert.equal(other.verdict?.result, "different");
    assert.equal(
      other.verdict.sentence,
      "Same document, same inputs, other tools or containers: 1 of 1 outputs differs; first in the tool, output mark.",
    );
    assert.equal(other.verdict.surroundings.length, 1);
    assert.match(other.verdict.surroundings[0] ?? "", /; sha256:[0-9a-f]{64} was not available: the container image /);
    assert.equal(other.job.state, "COMPLETE");
  });
});
