import { textTable } from "./text-table.ts";
import type { CrateSource } from "./crate-source.ts";

const STATES: Readonly<Record<string, string>> = {
  COMPLETE: "It ended well.",
  CANCELED: "It was aborted.",
};

/** What somebody should know who finds the crate, without any program that reads crates. */
export function crateReadme(source: CrateSource, payloadFiles: number): string {
  const { run, process } = source;
  const what = run.kind === "network" ? "network" : "tool";
  const version = run.processVersion === null ? "" : ` ${run.processVersion}`;
  const reason = run.reason === null ? "" : ` ${run.reason.message}`;
  return [
    `# ${run.name}`,
    `A run of the ${what} **${run.processId}${version}** by ${run.owner}, recorded by Weft. ${STATES[run.state] ?? "It failed."}${reason}`,
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

function runFacts({ run, jobs }: CrateSource): string[][] {
  const time = (ms: number | null) => (ms === null ? "never" : new Date(ms).toISOString());
  return [
    ["Run", run.runId],
    ["Document", run.processDigest === "" ? run.document : run.processDigest],
    ["Asked for", time(run.createdMs)],
    ["Started", time(run.startedMs)],
    ["Ended", time(run.endedMs)],
    ["State", run.state],
    ["Jobs", String(jobs.length)],
  ];
}

function stepRows({ jobs }: CrateSource): string[][] {
  return [...Map.groupBy(jobs, ({ step }) => step)].map(([step, ofStep]) => {
    const [first] = ofStep;
    const tool = first?.tool.id ?? "in the document";
    const failed = ofStep.filter(({ state }) => state !== "COMPLETE").length;
    return [
      step === "" ? "the tool" : step,
      [tool, first?.tool.version ?? ""].join(" ").trim(),
      String(ofStep.length),
      String(failed),
    ];
  });
}

function outputsText({ files }: CrateSource): string {
  const rows = files
    .filter((file) => file.jobId === null && file.direction === "output" && file.class === "File")
    .map((file) => [file.port + file.place, file.name, String(file.size ?? ""), file.sha256 ?? file.checksum ?? ""]);
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
    "- `provenance.prov.json`, `provenance.provn`: the same in the words of W3C PROV",
    "",
    "`npx weft verify` with this folder tells whether anything in it was changed since.",
  ].join("\n");
}
