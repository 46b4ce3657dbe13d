import assert from "node:assert/strict";
import { readFileSync, globSync } from "node:fs";
import { describe, it } from "node:test";
import { loadDocument } from "@weft/cwl/document/load-document.ts";
import { memoryDocumentReader } from "@weft/cwl/document/memory-document-reader.ts";
import { lintDocument, lintIndentation } from "./lint-document.ts";

const URI = "file:///t.cwl";
const SOFTWARE = "hints: {SoftwareRequirement: {packages: [{package: coreutils}]}}\n";
const HEAD = `cwlVersion: v1.2\nclass: CommandLineTool\ndoc: Does it.\n${SOFTWARE}baseCommand: cat\n`;

async function codesOf(text: string): Promise<string[]> {
  const { process, diagnostics } = await loadDocument(URI, { reader: memoryDocumentReader({ [URI]: text }) });
  const found = diagnostics.filter(({ severity }) => severity === "error");
  assert.deepEqual(found, []);
  assert.ok(process !== undefined);
  return lintDocument(process).map(({ code, line }) => `${line} ${code}`);
}

describe("a document that is valid but unwise", () => {
  const CASES: Readonly<Record<string, readonly [string, readonly string[]]>> = {
    "a tool without problems": [`${HEAD}inputs: {f: {type: File, inputBinding: {}}}\noutputs: {}\n`, []],
    "no doc, no software": [
      "cwlVersion: v1.2\nclass: CommandLineTool\nbaseCommand: ls\ninputs: {}\noutputs: {}\n",
      ["1 no-doc", "1 no-environment"],
    ],
    "an input that nothing uses": [
      `${HEAD}inputs: {f: File, g: File, h: int}\nstdin: $(inputs.f.path)\narguments: ['$(inputs["h"])']\noutputs: {}\n`,
      ["6 unused-input"],
    ],
    "bindings within types count as uses": [
      `${HEAD}inputs:\n  a: {type: {type: array, items: int, inputBinding: {}}}\n  r: {type: {type: record, fields: {x: {type: int, inputBinding: {}}}}}\noutputs: {}\n`,
      [],
    ],
    "a script that goes through all inputs": [
      `${HEAD}requirements: {InlineJavascriptRequirement: {}}\ninputs: {f: File, g: int}\narguments: ["\${return Object.keys(inputs).length;}"]\noutputs: {}\n`,
      [],
    ],
    "a pattern without bounds": [
      `${HEAD}inputs: {}\noutputs:\n  all: {type: "File[]", outputBinding: {glob: "*"}}\n  txt: {type: "File[]", outputBinding: {glob: "*.txt"}}\n`,
      ["8 unbounded-glob"],
    ],
    "texts that the shell interprets": [
      `${HEAD}requirements: {ShellCommandRequirement: {}}\ninputs:\n  s: {type: string, inputBinding: {shellQuote: false}}\n  n: {type: int, inputBinding: {shellQuote: false}}\narguments: [{valueFrom: "> $(inputs.s)", shellQuote: false}]\noutputs: {}\n`,
      ["1 unquoted-input", "8 unquoted-input"],
    ],
    "an input of a workflow without a link": [
      "cwlVersion: v1.2\nclass: Workflow\ndoc: Nothing.\ninputs: {a: int, b: int}\nsteps: {}\noutputs: {o: {type: int, outputSource: a}}\n",
      ["4 unused-input"],
    ],
    "a tool within a step": [
      `cwlVersion: v1.2\nclass: Workflow\ndoc: One.\ninputs: {}\noutputs: {}\nsteps:\n  s:\n    in: {}\n    out: []\n    run:\n      class: CommandLineTool\n      baseCommand: ls\n      inputs: {}\n      outputs: {}\n`,
      ["11 no-doc", "11 no-environment"],
    ],
  };
  for (const [name, [text, codes]] of Object.entries(CASES))
    it(name, async () => assert.deepEqual(await codesOf(text), codes));

  it("does not occur in the shipped catalog, except if a tool needs only the shell and core utilities", async () => {
    const root = new URL("../../catalog/", import.meta.url);
    for (const path of globSync("{tools/*/*,networks/*}/*.cwl", { cwd: root })) {
      const uri = new URL(path, root).href;
      const reader = { read: async (requested: string) => readFileSync(new URL(requested), "utf8") };
      const { process } = await loadDocument(uri, { reader });
      const codes = process === undefined ? ["unreadable"] : lintDocument(process).map(({ code }) => code);
      const shown = codes.filter((code) => code !== "no-environment");
      assert.deepEqual(shown, [], path);
    }
  });
});

it("warns about lines of a flow value at the indentation of their parent", () => {
  const found = lintIndentation({ uri: URI, text: "a: [\n  1\n]\nb: 'x\ny'\n" });
  const actual = found.map(({ code, line, column }) => `${line}:${column} ${code}`);
  assert.deepEqual(actual, ["3:1 flow-indentation", "5:1 flow-indentation"]);
  assert.deepEqual(lintIndentation({ uri: URI, text: "a: [\n  1\n ]\n" }), []);
});
