import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { loadDocument } from "@weft/cwl/document/load-document.ts";
import { memoryDocumentReader } from "@weft/cwl/document/memory-document-reader.ts";
import { inferTool, type Assumption } from "./infer-tool.ts";
import { parseHelp } from "./parse-help.ts";
import { splitCommand } from "./split-command.ts";
import { writeExample, writeTest, writeTool } from "./write-tool.ts";

const HELP = `Usage: prog sort [options] <in.bam>
Sorts alignments.
Options:
  -l INT     Set compression level, from 0 to 9
  -n         Sort by read name
             (uses the command order)
  -o, --output FILE   Write final output to FILE rather than standard output
  -@, --threads <int>
             Number of additional threads
      --min-size=SIZE : smallest size
`;

async function infer(command: string, { existing = [] as readonly string[], help = HELP } = {}) {
  const assumptions: Assumption[] = [];
  const tool = await inferTool(splitCommand(command), {
    options: parseHelp(help),
    helpText: help,
    kindOf: (path) => (existing.includes(path) ? "file" : undefined),
    decide: async (assumption) => {
      assumptions.push(assumption);
      return assumption.likely;
    },
  });
  return { tool, assumptions };
}

const inputsOf = async (...given: Parameters<typeof infer>) =>
  (await infer(...given)).tool.inputs.map(
    ({ id, type, isOutputName }) => `${id}: ${type}${isOutputName ? " written" : ""}`,
  );

describe("the help of a program", () => {
  it("lists options with their values and descriptions", () => {
    assert.deepEqual(
      parseHelp(HELP).map(({ names, value, doc }) => [names.join(" "), value, doc.slice(0, 20)]),
      [
        ["-l", "INT", "Set compression leve"],
        ["-n", undefined, "Sort by read name (u"],
        ["-o --output", "FILE", "Write final output t"],
        ["-@ --threads", "int", "Number of additional"],
        ["--min-size", "SIZE", "smallest size"],
      ],
    );
  });

  it("may be anything", () => {
    for (const text of ["", "\u0000", "-".repeat(1e6), `${" ".repeat(1e6)}x`, "--\n-\n--- x"])
      assert.ok(Array.isArray(parseHelp(text)));
  });
});

describe("a command line", () => {
  it("is split as in a shell, with its redirections", () => {
    assert.deepEqual(splitCommand(`a 'b c' "d\\"e" f\\ g < in.txt >out.txt 2>err`), {
      words: ["a", "b c", 'd"e', "f g"],
      stdin: "in.txt",
      stdout: "out.txt",
    });
    assert.deepEqual(splitCommand(`# two words\n\na \\\n  "b"#c # the end\n`).words, ["a", "b#c"]);
    for (const wrong of ["a | b", "a; b", "a &", "a `b`", "'a", "", "# a", "a\nb"])
      assert.throws(() => splitCommand(wrong), /one command|quotation|empty/);
  });

  it("has inputs, options and outputs", async () => {
    assert.deepEqual(await inputsOf("prog sort -@ 4 -n -o out.bam in.bam"), [
      "threads: int",
      "option_n: boolean",
      "output_name: string written",
      "bam: File",
    ]);
    const { tool } = await infer("prog sort -n reads.bam");
    assert.deepEqual([tool.baseCommand, tool.stdout], [["prog", "sort"], "sort.txt"]);
    assert.deepEqual(await inputsOf("prog sort --min-size=2.5 -l 3 a.bam b.bam < c.txt"), [
      "min_size: float",
      "option_l: int",
      "bam: File",
      "bam_2: File",
      "stdin_file: File",
    ]);
  });

  it("raises questions about ambiguous words", async () => {
    const { assumptions } = await infer("tool -q x.txt y.txt", { help: "" });
    assert.deepEqual(
      assumptions.map(({ question, likely }) => [question, likely]),
      [
        ["What is -q?", 1],
        ["What is y.txt?", 0],
      ],
    );
    const converted = await infer("tool a.png b.png", { help: "", existing: ["a.png"] });
    const found = converted.assumptions.map(({ question, likely }) => [question, likely]);
    assert.deepEqual(found, [["What is b.png?", 1]]);
    assert.equal(converted.tool.stdout, undefined);
  });
});

describe("the tool", () => {
  const facts = {
    command: "prog sort",
    summary: 'Sorts: all $(x) "of" it.',
    software: { name: "prog", version: "1.2-3" },
    image: "debian:12",
  };

  for (const command of [
    "prog sort -@ 4 -n -o out.bam in.bam",
    "prog",
    "tr a-z '$(x) ${y} \\' < t.txt > u.txt",
    `x --a=b 'c: "d"' yes null 1e3`,
  ])
    it(`is valid for ${command}`, async () => {
      const { tool } = await infer(command, { help: "" });
      const text = writeTool(tool, { ...facts, command });
      const { process, diagnostics } = await loadDocument("file:///t.cwl", {
        reader: memoryDocumentReader({ "file:///t.cwl": text }),
      });
      assert.deepEqual(diagnostics, [], text);
      assert.equal(process?.hints.length, 2);
    });

  it("has an example and a test", async () => {
    const { tool } = await infer("prog sort -o out.bam in.bam");
    const shown = writeExample(tool, (path) => `../../${path}`);
    assert.equal(shown, 'bam: { class: File, path: "../../in.bam" }\n');
    assert.equal(writeTest(tool), "inputs: ../examples/example.yml\noutputs:\n  output: { class: File }\n");
  });
});
