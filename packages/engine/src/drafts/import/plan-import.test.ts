import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { plainFiles } from "./imported-files.ts";
import { planImport } from "./plan-import.ts";
import { columns } from "../../testing/columns.ts";

/** The drafts that files become in an empty catalog, by kind and ID, and the notes about the files. */
async function planned(files: Readonly<Record<string, string>>) {
  const drafts: string[] = [];
  const request = {
    files: plainFiles(new Map(Object.entries(files).map(([path, text]) => [path, Buffer.from(text)]))),
    ...({ collisions: "new-version", room: 100 } as const),
  };
  const notes = await planImport(request, {
    knownVersions: async () => [],
    add: async ({ source, id }) => void drafts.push(`${source.kind} ${id}`),
  });
  return { drafts: drafts.sort(), notes };
}

const tool = (more = "") =>
  `cwlVersion: v1.2\nclass: CommandLineTool\nbaseCommand: sh\n${more}inputs: {}\noutputs: {}\n`;
const STAGED = "requirements: {InitialWorkDirRequirement: {listing: [{class: File, location: run.sh}]}}\n";
const flow = (run: string, more = "") =>
  `cwlVersion: v1.2\nclass: Workflow\n${more}inputs: {}\noutputs: {}\nsteps: {add: {run: "${run}", in: {}, out: []}}\n`;
const PACKED = JSON.stringify({
  cwlVersion: "v1.2",
  $graph: [
    { class: "CommandLineTool", id: "#echo.cwl", baseCommand: "echo", inputs: [], outputs: [] },
    {
      class: "Workflow",
      id: "#main",
      inputs: [],
      outputs: [],
      steps: [{ id: "#main/one", run: "#echo.cwl", in: [], out: [] }],
    },
  ],
});

describe("the plan of an import", () => {
  it("distinguishes documents of one name by their folders", async () => {
    const { drafts } = await planned({
      ...{ "repo/align/pipeline.cwl": tool(), "repo/sort/pipeline.cwl": tool(), "repo/sort/v2/pipeline.cwl": tool() },
      ...{ "one.cwl": PACKED, "two.cwl": PACKED, "a/x/main.cwl": tool(), "b/x/main.cwl": tool() },
    });
    assert.deepEqual(drafts, [
      ...["network one", "network two", "tool a-x", "tool align-pipeline", "tool b-x", "tool one-echo"],
      ...["tool sort-pipeline", "tool two-echo", "tool v2-pipeline"],
    ]);
  });

  it("reports what happened to every file", async () => {
    const files = {
      ...{ "say.cwl": tool(STAGED), "run.sh": "echo", "part.yml": "a: [", "unreadable.cwl": "class: [" },
      ...{ "uses-it.cwl": flow("unreadable.cwl"), "types.cwl": "- {name: a}\n" },
      ...Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`data/${at}.txt`, "x"])),
    };
    const { notes } = await planned(files);
    const said = new Map(notes.map((note) => [note.subject, note]));
    assert.deepEqual(
      Object.keys(files).filter((path) => !said.has(path)),
      [],
    );
    assert.equal(said.get("unreadable.cwl")?.level, "error");
    assert.equal(said.get("run.sh")?.text, "comes with the tool say");
  });

  it("names tools that are valid only inside their network", async () => {
    const inherits = tool("arguments: [$(1 + 1)]\n");
    const network = flow("add.cwl", "requirements: {InlineJavascriptRequirement: {}}\n");
    const { notes } = await planned({ "flow.cwl": network, "add.cwl": inherits, "alone.cwl": inherits });
    const warnings = notes.filter(({ text }) => /which only the network flow around it allows/.test(text));
    assert.deepEqual(columns(warnings, "level", "subject"), [["warning", "add"]]);
  });
});
