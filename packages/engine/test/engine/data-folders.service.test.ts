import assert from "node:assert/strict";
import { hash } from "node:crypto";
import { Readable } from "node:stream";
import { describe, it } from "node:test";
import { caller, runToEnd } from "../../src/testing/drive-runs.ts";
import { ask } from "../../src/testing/ask-engine.ts";
import { column } from "../../src/testing/columns.ts";
import { serveCatalog } from "../test-catalog.ts";

const { engine } = await serveCatalog();
const namesIn = async (location: string | undefined) =>
  column((await ask(engine, "GET /api/files", { caller, query: { location } })).entries, "name");

describe("uploads and data folders", () => {
  it("stores an upload with its checksums and accepts it as an input", async () => {
    const content = Readable.from([Buffer.from("up"), Buffer.from("load\n")]);
    const { checksum, location } = await engine.files.upload(caller, "näme.txt", content);
    assert.equal(checksum, `sha1$${hash("sha1", "upload\n")}`);
    const run = await runToEnd(engine, { tool: "shout", inputs: { text: { class: "File", location } } });
    assert.equal(run.state, "COMPLETE");
  });

  it("refuses files that are too large or have no plain name, and leaves nothing behind", async () => {
    const large = engine.files.upload(caller, "big", Readable.from([Buffer.alloc(2000)]));
    await assert.rejects(large, { code: "body-too-large" });
    for (const name of ["../x", "", ".", "ä".repeat(200), "a\nb"])
      await assert.rejects(engine.files.upload(caller, name, Readable.from([])), { code: "invalid-parameters" }, name);
    for (const name of await namesIn("weft-data://uploads/")) assert.match(name, /^[0-9a-f-]{36}$/);
  });

  it("shows data folders and refuses everything else", async () => {
    assert.deepEqual(await namesIn(undefined), ["catalog", "uploads"]);
    assert.deepEqual(await namesIn("weft-data://catalog/data/"), ["one.txt", "two.txt"]);
    for (const location of ["weft-data://runs/", "file:///etc/", "weft-data://catalog/../", "weft-data://none/"])
      await assert.rejects(namesIn(location), { code: "file-not-found" }, location);
  });
});
