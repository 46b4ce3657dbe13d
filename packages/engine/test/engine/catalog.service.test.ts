import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { writeFiles } from "@weft/shared/testing/temporary-folder.ts";
import { ask } from "../../src/testing/ask-engine.ts";
import { caller, runToEnd, untilEvent } from "../../src/testing/drive-runs.ts";
import { column } from "../../src/testing/columns.ts";
import { serveCatalog } from "../test-catalog.ts";

const { engine, root } = await serveCatalog();

describe("the catalog", () => {
  it("lists versions, newest first, including broken ones, and notices an edit right after the start", async () => {
    const { tools } = await ask(engine, "GET /api/tools", { caller, query: { q: "shout" } });
    const [shout] = tools;
    assert.ok(typeof shout === "object");
    assert.deepEqual(column(shout.versions, "version"), ["1.10.0", "1.9.0", "1.0.0"]);
    const broken = engine.catalog.getNetwork(caller, "broken", undefined);
    assert.equal(broken.validation.status, "invalid");
    assert.equal(broken.validation.issues[0]?.line, 12);
    writeFiles(root, {
      "catalog/networks/broken/broken.cwl": "cwlVersion: v1.2\nclass: Workflow\ninputs: {}\noutputs: {}\nsteps: {}\n",
    });
    const isValid = () => engine.catalog.getNetwork(caller, "broken", undefined).validation.status === "valid";
    await untilEvent(engine, isValid);
  });

  it("offers examples that can be posted unchanged", async () => {
    const [example] = engine.catalog.getNetwork(caller, "shout-all", undefined).examples;
    assert.equal((await runToEnd(engine, { network: "shout-all", inputs: example?.inputs })).state, "COMPLETE");
  });
});
