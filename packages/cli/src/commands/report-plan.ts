import { tmpdir } from "node:os";
import { join } from "node:path";
import { planDocument, type DocumentPlan } from "@weft/engine/document/plan-document.ts";
import { writeLine } from "../io/command-io.ts";
import { EXIT } from "../exit/exit.ts";
import { jsonText } from "../output/result-text.ts";
import type { Settings } from "../settings/read-settings.ts";
import type { PreparedDocument } from "./run-command.ts";
import { countText } from "@weft/shared/text/count-text.ts";
import { reportWrong, printProblems, type Inputs } from "../output/print-problems.ts";
import type { PlannedContainer, PlannedJob, PlannedStep } from "@weft/shared/records/plan-record.ts";
import { shellLine } from "@weft/shared/records/shell-line.ts";

/** Prints the plan of a run and returns the exit code. Its paths contain a folder that is never created. */
export async function reportPlan(document: PreparedDocument, inputs: Inputs, settings: Settings): Promise<number> {
  const { io } = settings;
  const planned = await planDocument({ ...document, scratch: join(tmpdir(), "weft-run") });
  printProblems(planned.problems, inputs, { io, isQuiet: settings.isOn("quiet") });
  switch (planned.kind) {
    case "planned":
      io.stdout.write(settings.isOn("json") ? jsonText(planned.plan) : `${planText(planned.plan)}\n`);
      return EXIT.success;
    case "failed":
      writeLine(io, `weft: ${planned.message}`);
      if (planned.hint !== undefined) writeLine(io, `  hint: ${planned.hint}`);
      return EXIT.failure;
    case "wrong-inputs":
    case "refused":
      return reportWrong(planned, io);
  }
}

/** A plan for people: first the steps, with the facts that cannot be known yet, then every known job. */
function planText({ steps, jobs, jobs_shown_of: total }: DocumentPlan): string {
  const shown = jobs.length < total ? ` (the first ${jobs.length} of ${total})` : "";
  return [
    "Nothing was started. This is what a run would do.",
    "",
    "Steps",
    ...steps.map(stepText),
    "",
    `Jobs that are known now${shown}`,
    ...(jobs.length === 0 ? ["  none"] : jobs.map(jobText)),
  ].join("\n");
}

function stepText({ step, jobs_total: jobs, jobs_total_is_final: isFinal, unknown_because }: PlannedStep): string {
  const name = stepName(step);
  if (isFinal) return `  ${name}: ${countText(jobs, "job")}`;
  const known = jobs === 0 ? "jobs not known yet" : `${countText(jobs, "job")} so far`;
  return [`  ${name}: ${known}`, ...unknown_because.map((reason) => `    ${reason}`)].join("\n");
}

function jobText(job: PlannedJob): string {
  const { cores, ram_bytes: ramBytes } = job.resources ?? { cores: 0, ram_bytes: 0 };
  const lines = [
    `  ${jobName(job)}`,
    `    resources: ${countText(cores, "core")}, ${Math.round(ramBytes / 1024 ** 2)} MiB of memory`,
    `    container: ${containerText(job.container)}`,
  ];
  if (job.command === null) return [...lines, "    command: none, it only computes values"].join("\n");
  const { workdir } = job.command;
  return [...lines, `    folder: ${workdir}`, `    command: ${shellLine(job.command)}`].join("\n");
}

function jobName({ step, sample_id: sample, scatter_index: index }: PlannedJob): string {
  const place = index.length === 0 ? "" : `[${index.join(",")}]`;
  return `${stepName(step)}${place}${sample === null ? "" : ` (${sample})`}`;
}

function containerText(container: PlannedContainer | null): string {
  if (container === null) return "none, the tool asks for none";
  const { image, engine, version, digest, why } = container;
  if (engine === "none") return `none, although ${image} is requested: ${why}`;
  return `${image} in ${engine} ${version}, ${digest ?? "which has to be fetched first, or has no known digest"}`;
}

function stepName(step: string): string {
  return step === "" ? "the tool" : step;
}
