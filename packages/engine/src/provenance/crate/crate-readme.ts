import { filesOfRun, runFacts, runSummary, stepRows } from "./crate-facts.ts";
import type { CrateSource } from "./crate-source.ts";

/** Information for a person who finds the crate and has no program that reads crates. */
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
    `- \`ro-crate-metadata.json\`: the complete description for programs, a ${process.class === "Workflow" ? "Provenance Run Crate" : "Process Run Crate"} 0.5 on RO-Crate 1.1 and 1.2`,
    `- \`${document}\`, \`inputs.json\`, \`outputs.json\`: the document that ran, and its input and output objects, with the locations of the files in this folder`,
    `- \`outputs/\`, \`intermediate/\`, \`inputs/\`: ${payloadFiles} files that the run wrote and read, as far as they still existed`,
    "- `logs/`: standard output and standard error of the jobs",
    "- `weft/events.jsonl`: every event of the run with its hash; `weft/documents.jsonl`: the objects that events refer to; `weft/files.jsonl`: the recorded location of each file",
    "- `report.html`: this description and every job, with links to the files, for a browser or printer",
    "- `provenance.prov.json`: the same as W3C PROV",
    "",
    `\`cwltool ${document} inputs.json\` in this folder runs it again, \`npx weft verify\` checks whether anything in it has been changed.`,
  ].join("\n");
}

/** A table in Markdown; escapes characters that would end a cell. */
function textTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cellText).join(" | ")} |`;
  return [line(head), `|${"---|".repeat(head.length)}`, ...rows.map(line)].join("\n");
}

function cellText(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll("|", "\\|").replace(/\s+/g, " ");
}
