import assert from "node:assert/strict";
import { it } from "node:test";
import type { CwlObject } from "@weft/cwl/model/cwl-value.ts";
import { outputText } from "./output-text.ts";

it("prints numbers in full", () => {
  assert.equal(
    outputText({ a: [4.2e42, -1.5e-7, 12, 0.1] }).replaceAll(/\s/g, ""),
    `{"a":[42${"0".repeat(41)},-0.00000015,12,0.1]}`,
  );
});

it("adds the path of local files only", () => {
  const files: CwlObject = {
    here: { class: "File", location: "file:///a%20b" },
    there: { class: "File", location: "https://a.b/c" },
  };
  const { here, there } = JSON.parse(outputText(files));
  assert.deepEqual([here.path, there.path], ["/a b", undefined]);
});
