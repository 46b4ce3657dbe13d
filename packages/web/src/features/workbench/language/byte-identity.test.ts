import assert from "node:assert/strict";
import { existsSync, globSync, readFileSync } from "node:fs";
import { describe, it, test } from "node:test";
import { EditorState } from "@codemirror/state";
import { applyGesture } from "@weft/language/edit/network-gesture.ts";
import { differenceOf, lineEndOfEditor } from "../editor/create-editor.ts";
import { fileOf, partOf } from "../saving/draft-session.ts";

/** The saved text of a draft after it was opened in the editor and changed there, if at all. */
function saved(file: string, change?: (text: string) => string): string {
  const part = partOf(file);
  const state = EditorState.create({ doc: part.text, extensions: [lineEndOfEditor] });
  const shown = state.doc.toString();
  assert.equal(shown, part.text, "the editor and the draft have the same text");
  const difference = change && differenceOf(shown, change(shown));
  const after = difference === undefined ? state : state.update({ changes: difference }).state;
  return fileOf({ ...part, text: after.doc.toString() });
}

const NETWORK = "cwlVersion: v1.2\nclass: Workflow\ninputs: {}\noutputs: {}\nsteps: {}";
const addInput = (text: string): string =>
  applyGesture(text, { kind: "add-input", name: "drawn_input", type: "int?" }) ?? text;

describe("a text that is opened and saved", () => {
  const cases: readonly (readonly [name: string, text: string])[] = [
    ["without a final line end", NETWORK],
    ["with one", `${NETWORK}\n`],
    ["with several", `${NETWORK}\n\n\n`],
    ["with the line ends of Windows", `${NETWORK}\n`.replaceAll("\n", "\r\n")],
    ["with those, but without a final one", NETWORK.replaceAll("\n", "\r\n")],
    ["with mixed line ends", `${NETWORK}\n`.replace("\n", "\r\n")],
    ["with single carriage returns", `${NETWORK}\n# a\rb\n`],
    ["with other separators, tabs and a byte order mark", `\uFEFF${NETWORK}\n# \u2028 \u0085 \t \n`],
    ["that is empty", ""],
  ];
  for (const [name, text] of cases)
    it(`stays as it is ${name}`, () => {
      assert.equal(saved(text), text);
      // After a gesture, all other lines end as before.
      const lines = new Set(text.split("\n"));
      const gone = text.split("\n").filter((line) => !saved(text, addInput).split("\n").includes(line));
      assert.ok(gone.length <= 2, `${lines.size} lines, gone: ${JSON.stringify(gone)}`);
    });
});

/** The public conformance suite, if it was downloaded next to the project; without it this test is skipped. */
const SUITE = new URL("../../../../../../../shared/conformance/v1.2/", import.meta.url);
const skip = existsSync(SUITE) ? false : "the conformance suite is not here";

test("every document of the conformance suite is the same bytes after it was opened and saved", { skip }, () => {
  const files = globSync("**/*.{cwl,json,yml,yaml}", { cwd: SUITE }).map((file) => new URL(file, SUITE));
  let edited = 0;
  for (const file of files) {
    const bytes = readFileSync(file);
    const text = bytes.toString("utf8");
    assert.deepEqual(Buffer.from(saved(text), "utf8"), bytes, file.href);
    const after = saved(text, addInput);
    if (after === text) continue;
    edited += 1;
    const kept = after.split("\n");
    const gone = text.split("\n").filter((line) => !kept.includes(line));
    assert.ok(gone.length <= 1, `${file.href}\n${gone.join("\n")}`);
  }
  assert.ok(files.length > 300 && edited > 40, `${files.length} documents, ${edited} networks`);
});
