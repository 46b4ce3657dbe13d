import assert from "node:assert/strict";
import { test } from "node:test";
import { openForWriting } from "../../journal/open-database.ts";
import { explaining } from "../../journal/testing/explaining-reader.ts";
import { addJobs } from "../../journal/testing/job-rows.ts";
import { runGenerators } from "./run-generators.ts";

const RUN = {
  processId: "brains",
  processVersion: "2.1.0",
  processDigest: "sha256:0",
  processLabel: "Brains",
  documentUri: "weft-data://catalog/networks/brains/brains.cwl",
};

test("the network, every image of a tool once, and Weft have made a dataset", () => {
  const db = openForWriting(":memory:", "fast");
  const tool = JSON.stringify({ id: "smooth", version: "1.0.0", class: "CommandLineTool" });
  const image = { engine: "podman", version: "4", image: "lab/smooth:1", digest: "sha256:ab" };
  const inline = JSON.stringify({ id: null, version: null, class: "CommandLineTool" });
  const none = { engine: "none", image: "lab/other:1", why: "off" };
  const file = { engine: "apptainer", version: "1", image: "/images/tool.sif", digest: null };
  const jobs: readonly (readonly [string, object | null])[] = [
    [tool, image],
    [tool, image],
    [inline, file],
    [tool, none],
    [tool, null],
  ];
  addJobs(
    db,
    jobs.map(([made, container]) => ({ tool: made, container: container === null ? null : JSON.stringify(container) })),
  );
  const { read } = explaining(db);
  const { label, generators } = runGenerators("r", {
    read: { run: () => RUN, containersOfTools: (runId) => read.containersOfTools(runId) },
    version: "0.2.0",
  });
  db.close();
  assert.equal(label, "Brains");
  assert.deepEqual(generators, [
    { Name: "brains", Version: "2.1.0", Description: "Brains", CodeURL: RUN.documentUri },
    { Name: "/images/tool.sif", Container: { Type: "apptainer", Tag: "/images/tool.sif" } },
    {
      Name: "smooth",
      Version: "1.0.0",
      Container: { Type: "podman", Tag: "lab/smooth:1", URI: "docker://lab/smooth:1@sha256:ab" },
    },
    { Name: "Weft", Version: "0.2.0" },
  ]);
});

test("a network without a version has its digest, and no path of this machine is published", () => {
  const run = { ...RUN, processVersion: null, processLabel: null, documentUri: "file:///home/ann/brains.cwl" };
  const read = { run: () => run, containersOfTools: () => [] };
  assert.deepEqual(runGenerators("r", { read, version: "1" }).generators, [
    { Name: "brains", Version: "sha256:0" },
    { Name: "Weft", Version: "1" },
  ]);
});
