import type { FileRow } from "../../journal/rows.ts";
import type { CrateSource } from "./crate-source.ts";

/** The descriptions of ends in the human-readable texts of a crate. */
const ENDS: Readonly<Record<string, string>> = {
  COMPLETE: "It succeeded.",
  CANCELED: "It was aborted.",
};

export function runSummary({ run }: Pick<CrateSource, "run">) {
  const version = run.processVersion === null ? "" : ` ${run.processVersion}`;
  const reason = run.reason === null ? "" : ` ${run.reason.message}`;
  return { kind: run.kind, process: `${run.processId}${version}`, end: `${ENDS[run.state] ?? "It failed."}${reason}` };
}

/** Names and values. */
export function runFacts({ run, jobs }: CrateSource): string[][] {
  const time = (ms: number | null) => (ms === null ? "never" : new Date(ms).toISOString());
  return [
    ["Run", run.runId],
    ["Document", run.processDigest === "" ? run.document : run.processDigest],
    ["Requested", time(run.createdMs)],
    ["Started", time(run.startedMs)],
    ["Ended", time(run.endedMs)],
    ["State", run.state],
    ["Jobs", String(jobs.length)],
  ];
}

/** Step, tool, jobs, and how many of them failed. */
export function stepRows({ jobs }: CrateSource): string[][] {
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

/** The input and output files of a run, including those in folders. */
export function filesOfRun(files: readonly FileRow[], direction: FileRow["direction"]): readonly FileRow[] {
  return files.filter((file) => file.jobId === null && file.direction === direction && file.class === "File");
}
