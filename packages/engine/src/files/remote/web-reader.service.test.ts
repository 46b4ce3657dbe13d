import assert from "node:assert/strict";
import { after, test } from "node:test";
import { loadDocument } from "@weft/cwl/document/load-document.ts";
import { memoryDocumentReader } from "@weft/cwl/document/memory-document-reader.ts";
import { DEFAULT_TIMEOUTS } from "./http-settings.ts";
import { ANY_HOST } from "./http-policy.ts";
import { redirect, startWebServer, text } from "./testing/web-server.ts";
import { explainOffline, WebReader } from "./web-reader.ts";

const TOOL = "cwlVersion: v1.2\nclass: ExpressionTool\ninputs: []\noutputs: []\nexpression: {$include: e.txt}\n";
const web = await startWebServer({
  "/flow.cwl": text(`cwlVersion: v1.2
class: Workflow
inputs: []
outputs: []
steps: {one: {run: lib/tool.cwl, in: [], out: []}}
`),
  "/lib/tool.cwl": redirect("/moved/tool.cwl"),
  "/moved/tool.cwl": text(TOOL),
  "/lib/e.txt": text("$(null)"),
  "/large.cwl": text(" ".repeat(17 * 1024 * 1024)),
});
after(() => web.close());

const local = (run: string) =>
  memoryDocumentReader({
    "file:///w/flow.cwl": `cwlVersion: v1.2\nclass: Workflow\ninputs: []\noutputs: []\nsteps: {one: {run: "${run}", in: [], out: []}}\n`,
  });
const settings = { policy: ANY_HOST, ...DEFAULT_TIMEOUTS, environment: {} };

test("WebReader reads a document with all that it refers to", async () => {
  const loaded = await loadDocument(`${web.address}/flow.cwl`, { reader: new WebReader(local(""), settings) });
  assert.deepEqual(loaded.diagnostics, []);
  assert.ok(loaded.process?.class === "Workflow");
  const [step] = loaded.process.steps;
  assert.equal(step?.run.class === "ExpressionTool" ? step.run.expression : undefined, "$(null)");
});

const UNREADABLE: readonly (readonly [string, RegExp])[] = [
  [`${web.address}/none.cwl`, /cannot read http:\S+\/none\.cwl: the server answered 404 \(Not Found\)/],
  [`${web.address}/large.cwl`, /larger than 16 MiB/],
  ["http://127.0.0.1:1/x.cwl", /the connection was refused/],
  ["none.cwl", /cannot read file:\/\/\/w\/none\.cwl: there is no such file$/],
];
for (const [run, expected] of UNREADABLE) {
  test(`WebReader says why it cannot read ${run.replace(web.address, "")}`, async () => {
    const reader = new WebReader(local(run), settings);
    const { diagnostics } = await loadDocument("file:///w/flow.cwl", { reader });
    const [first, second] = reader.explain(diagnostics);
    assert.match(first?.message ?? "", expected);
    assert.equal(first?.line, 5);
    assert.equal(second, undefined);
  });
}

test("explainOffline says that nothing is fetched", async () => {
  const reader = local("https://ann:secret@h.org/x.cwl");
  const { diagnostics } = await loadDocument("file:///w/flow.cwl", { reader });
  const [first] = explainOffline(diagnostics);
  assert.equal(
    first?.message,
    "steps.one.run: cannot read https://***@h.org/x.cwl: documents are not fetched from the web here",
  );
  assert.match(first?.hint ?? "", /a copy next to/);
});
