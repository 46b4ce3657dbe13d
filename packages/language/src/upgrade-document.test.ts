import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { loadSoundDocument } from "@weft/cwl/document/testing/load-sound-document.ts";
import { upgradeDocument } from "./upgrade-document.ts";

const URI = "file:///t.cwl";
const upgraded = (text: string) => {
  const upgrade = upgradeDocument(URI, text);
  return upgrade.kind === "upgraded" ? upgrade.text : assert.fail(upgrade.kind);
};

describe("upgrading a document", () => {
  it("changes the version and keeps everything else, including comments", () => {
    const text = `#!/usr/bin/env cwl-runner\n# why\ncwlVersion: v1.1 # old\nclass: Workflow\ninputs: {}   # none\nsteps: []\noutputs: []\n`;
    assert.equal(upgraded(text), text.replace("v1.1", "v1.2"));
  });

  const TOOL = "class: CommandLineTool\nbaseCommand: ls # list\ninputs: {d: Directory}\noutputs: {}\n";
  const FORMS: Readonly<Record<string, readonly [string, string]>> = {
    "without hints": [
      `cwlVersion: v1.0\n${TOOL}`,
      `cwlVersion: v1.2\n${TOOL.replace("\n", "\nhints:\n  NetworkAccess: {networkAccess: true}\n  LoadListingRequirement: {loadListing: deep_listing}\n")}`,
    ],
    "with a map of hints": [
      `cwlVersion: v1.0\nhints:\n  ResourceRequirement: {coresMin: 1} # one\n${TOOL}`,
      `cwlVersion: v1.2\nhints:\n  NetworkAccess: {networkAccess: true}\n  LoadListingRequirement: {loadListing: deep_listing}\n  ResourceRequirement: {coresMin: 1} # one\n${TOOL}`,
    ],
    "with a list of hints": [
      `cwlVersion: v1.0\nhints:\n  - class: ResourceRequirement\n    coresMin: 1\n${TOOL}`,
      `cwlVersion: v1.2\nhints:\n  - {class: NetworkAccess, networkAccess: true}\n  - {class: LoadListingRequirement, loadListing: deep_listing}\n  - class: ResourceRequirement\n    coresMin: 1\n${TOOL}`,
    ],
    "as JSON": [
      `{"cwlVersion": "v1.0", "class": "CommandLineTool", "baseCommand": "ls", "inputs": {}, "outputs": {}}`,
      `{hints: {NetworkAccess: {networkAccess: true}}, "cwlVersion": v1.2, "class": "CommandLineTool", "baseCommand": "ls", "inputs": {}, "outputs": {}}`,
    ],
  };
  for (const [name, [before, after]] of Object.entries(FORMS))
    it(`gives a tool of v1.0 ${name} the features that v1.0 enables by default`, async () => {
      assert.equal(upgraded(before), after);
      const names = (await loadSoundDocument({ "a.cwl": after })).hints.map(({ class: hint }) => hint);
      assert.ok(names.includes("NetworkAccess"));
    });

  it("finds tools within steps and $graph", () => {
    const text = `cwlVersion: v1.0\n$graph:\n- id: main\n  class: Workflow\n  inputs: []\n  outputs: []\n  steps:\n    s:\n      in: []\n      out: []\n      run:\n        class: CommandLineTool\n        baseCommand: ls\n        inputs: []\n        outputs: []\n`;
    assert.match(
      upgraded(text),
      /run:\n {8}class: CommandLineTool\n {8}hints:\n {10}NetworkAccess: \{networkAccess: true\}\n {8}baseCommand/,
    );
  });

  it("does not change an upgraded document again", () => {
    const once = upgraded(`cwlVersion: v1.0\n${TOOL}`);
    assert.deepEqual(upgradeDocument(URI, once), { kind: "current" });
    assert.equal(upgraded(once.replace("v1.2", "v1.1")), once);
  });

  it("refuses documents without a version, or with one before draft-3", () => {
    assert.equal(upgradeDocument(URI, "class: Workflow\n").kind, "refused");
    assert.equal(upgradeDocument(URI, "cwlVersion: draft-2\nclass: Workflow\n").kind, "refused");
    assert.equal(upgradeDocument(URI, "[").kind, "refused");
    assert.equal(upgraded("cwlVersion: v1.1.0-dev1\nclass: Workflow\n"), "cwlVersion: v1.2\nclass: Workflow\n");
  });
});
