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

  it("keeps a pulled image as a file", async () => {
    const { engine, calls } = recorder();
    assert.equal(await engine.findImage(PULL), undefined);
    const image = await engine.fetchImage(PULL, signal);
    assert.match(image.reference, /\/debian_12-[0-9a-f]{16}\.sif$/);
    assert.equal(calls[0]?.at(-1), "docker://debian:12");
    assert.deepEqual(await engine.findImage(PULL), image);
  });

  it("pulls the exact image, and keeps it next to that of the tag", async () => {
    const { engine, calls } = recorder();
    const pinned = { ...PULL, digest: "sha256:cd34" };
    assert.equal(await engine.findImage(pinned), undefined);
    const image = await engine.fetchImage(pinned, signal);
    assert.deepEqual([image.name, image.digest], ["debian:12", "sha256:cd34"]);
    assert.equal(calls[0]?.at(-1), "docker://debian@sha256:cd34");
    assert.deepEqual(await engine.findImage(pinned), image);
    const tagged = await engine.fetchImage(PULL, signal);
    assert.notEqual(tagged.reference, image.reference);
  });

  it("does not accept an image file as the image of a digest", async () => {
    const { engine } = recorder();
    const own: ImageSource = {
      name: join(imagesFolder, "own.sif"),
      origin: { from: "nowhere" },
      digest: "sha256:cd34",
    };
    assert.equal(await engine.findImage(own), undefined);
    await assert.rejects(engine.fetchImage(own, signal), { message: /only a registry can identify an image/ });
  });

  it("uses an image file that the document names", async () => {
    const path = join(imagesFolder, "own.sif");
    await writeFile(path, "");
    const found = await recorder().engine.findImage({ name: path, origin: { from: "nowhere" } });
    assert.equal(found?.reference, path);
  });

  const failures: readonly [ImageSource["origin"], RegExp][] = [
    [{ from: "pull", reference: "nosuch" }, /`apptainer build` failed: no such image$/],
    [{ from: "import", address: "/a" }, /does not support dockerImport/],
    [{ from: "build", dockerfile: "FROM x" }, /does not support dockerFile/],
    [{ from: "load", address: "http://h/a" }, /loads only local archives/],
    [{ from: "nowhere" }, /no such image file/],
  ];
  for (const [origin, message] of failures) {
    it(`says why an image is not available: ${origin.from}`, async () => {
      await assert.rejects(recorder(255).engine.fetchImage({ name: "x", origin }, signal), {
        code: "STAGE_IN",
        message,
      });
    });
  }
});
