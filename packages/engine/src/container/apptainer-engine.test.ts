import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { temporaryFolder } from "@weft/shared/testing/temporary-folder.ts";
import { ApptainerEngine } from "./apptainer-engine.ts";
import type { ImageSource } from "./container-engine.ts";
import type { RunProgram } from "../executor/run-program.ts";

const imagesFolder = temporaryFolder();
const signal = new AbortController().signal;
const PULL: ImageSource = { name: "debian:12", origin: { from: "pull", reference: "debian:12" } };

/** Records its calls and writes the requested image. */
function recorder(code = 0) {
  const calls: (readonly string[])[] = [];
  const run: RunProgram = async (program, args) => {
    calls.push([program, ...args]);
    if (args[1] === "build" && code === 0) await writeFile(args[2] ?? "", "image");
    return { code, stdout: "apptainer version 1.3.4-dist\n", stderr: "FATAL:   no such image\n" };
  };
  return { calls, engine: new ApptainerEngine("apptainer", { run, clientEnv: {}, imagesFolder }) };
}

describe("ApptainerEngine", () => {
  it("reads the version", async () => {
    assert.deepEqual(await recorder().engine.probe(), { works: true, version: "1.3.4-dist" });
    assert.deepEqual(await recorder(127).engine.probe(), { works: false, why: "is not installed" });
  });

  it("keeps a pulled image as a file, and the exact image next to that of the tag", async () => {
    const { engine, calls } = recorder();
    const references = new Set<string>();
    for (const [source, from] of [
      [PULL, "docker://debian:12"],
      [{ ...PULL, digest: "sha256:cd34" }, "docker://debian@sha256:cd34"],
    ] as const) {
      assert.equal(await engine.findImage(source), undefined);
      const image = await engine.fetchImage(source, signal);
      assert.equal(calls.at(-1)?.at(-1), from);
      assert.match(image.reference, /\/debian_(?:12|sha256_cd34)-[0-9a-f]{16}\.sif$/);
      assert.deepEqual(image, { name: "debian:12", reference: image.reference, digest: source.digest ?? null });
      assert.deepEqual(await engine.findImage(source), image);
      references.add(image.reference);
    }
    assert.equal(references.size, 2);
  });

  it("uses an image file that the document names, but not as the image of a digest", async () => {
    const { engine } = recorder();
    const own: ImageSource = { name: join(imagesFolder, "own.sif"), origin: { from: "nowhere" } };
    await writeFile(own.name, "");
    assert.equal((await engine.findImage(own))?.reference, own.name);
    const pinned = { ...own, digest: "sha256:cd34" };
    assert.equal(await engine.findImage(pinned), undefined);
    await assert.rejects(engine.fetchImage(pinned, signal), { message: /only a registry can identify an image/ });
  });

  const failures: readonly [ImageSource["origin"], RegExp][] = [
    [{ from: "pull", reference: "nosuch" }, /`apptainer build` failed: no such image$/],
    [{ from: "import", address: "/a" }, /does not support dockerImport/],
    [{ from: "build", dockerfile: "FROM x" }, /does not support dockerFile/],
    [{ from: "load", address: "http://h/a" }, /loads only local archives/],
    [{ from: "nowhere" }, /no such image file/],
  ];
  for (const [origin, message] of failures)
    it(`says why an image is not available: ${origin.from}`, () =>
      assert.rejects(recorder(255).engine.fetchImage({ name: "x", origin }, signal), { code: "STAGE_IN", message }));
});
