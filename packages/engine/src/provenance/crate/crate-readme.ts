import { filesOfRun, runFacts, runSummary, stepRows } from "./crate-facts.ts";
import type { CrateSource } from "./crate-source.ts";
import { textTable } from "./text-table.ts";

/** What somebody should know who finds the crate, without any program that reads crates. */
export function crateReadme(source: CrateSource, payloadFiles: number): string {
  const { run, process } = source;
  const { kind, process: name, end } = runSummary(source);
  return [
    `# ${run.name}`,
    `A run of the ${kind} **${name}** by ${run.owner}, recorded by Weft. ${end}`,
    process.doc?.trim() ?? "",
    "## The run",
    textTable(["", ""], runFacts(source)),
    "## Steps",
    textTable(["Step", "Tool", "Jobs", "Failed"], stepRows(source)),
    "## Outputs",
    outputsText(source),
    "## What is in this folder",
    contentsText(source, payloadFiles),
  ]
    .filter((text) => text !== "")
    .join("\n\n")
    .concat("\n");
}

function outputsText({ files }: CrateSource): string {
  const rows = filesOfRun(files, "output").map((file) => [
    file.port + file.place,
    file.name,
    String(file.size ?? ""),
    file.sha256 ?? file.checksum ?? "",
  ]);
  return rows.length === 0 ? "None." : textTable(["Output", "File", "Bytes", "SHA-256 (or SHA-1)"], rows);
}

function contentsText({ process }: CrateSource, payloadFiles: number): string {
  const document = process.class === "Workflow" ? "workflow.cwl" : "tool.cwl";
  return [
    `- \`ro-crate-metadata.json\`: all of it for programs, as a ${process.class === "Workflow" ? "Provenance Run Crate" : "Process Run Crate"} 0.5 on RO-Crate 1.1`,
    `- \`${document}\`, \`inputs.json\`, \`outputs.json\`: the document that ran and its input and output objects`,
    `- \`outputs/\`, \`intermediate/\`, \`inputs/\`: ${payloadFiles} files that the run wrote and read, as far as they were still there`,
    "- `logs/`: what jobs wrote to standard output and standard error",
    "- `weft/events.jsonl`: every event of the run with its hash; `weft/documents.jsonl`: the objects that events name; `weft/files.jsonl`: the address of each file there",
    "- `report.html`: what is above and every job, with links to the files, for a browser or a printer",
    "- `provenance.prov.json`, `provenance.provn`: the same in the words of W3C PROV",
    "",
    "`npx weft verify` with this folder tells whether anything in it was changed since.",
  ].join("\n");
}
