import type { JobRow } from "../journal/rows.ts";
import type { BundledInputs } from "./bundled-inputs.ts";

export interface WholeReadme {
  readonly row: JobRow;
  readonly inputs: BundledInputs;
  /** The reason why there is no script. */
  readonly unrepeatable: string | undefined;
  /** Today's command line differs from the recorded one. */
  readonly isChanged: boolean;
  /** One sentence for each truncated log. */
  readonly shortened: readonly string[];
}

/** Readme of a bundle with data: its contents, how to use it, and what differs from the original. */
export function wholeReadme(readme: WholeReadme): string {
  const { row } = readme;
  const sections = [
    `Debug bundle of the job ${row.jobId} of the run ${row.runId}, attempt ${row.attempt}.`,
    "THIS BUNDLE CONTAINS THE JOB'S DATA: its input files, its logs, names and paths. Send it only to people who may see\nthem. For anyone else, use a bundle without data (data=false).",
    howToRepeat(readme),
    CONTENT,
    ...remarks(readme),
  ];
  return `${sections.join("\n\n")}\n`;
}

const CONTENT = `In this bundle
  run.sh           repeats the job in a new folder (not for jobs without a command line)
  inputs/          the input files and folders of the job
  inputs.json      the inputs as a CWL input object
  tool.cwl         the tool as a separate CWL document
  command.txt      the original command line
  environment.txt  machine, versions, and the variables of the job
  job.json         the record of the job: state, reason, resources, times, attempts
  logs/            standard output and standard error of the job`;

function howToRepeat({ unrepeatable, row }: WholeReadme): string {
  const asCwl = "With any CWL runner:  npx weft run tool.cwl inputs.json";
  if (unrepeatable !== undefined) return `There is no run.sh: ${unrepeatable}.\n${asCwl}`;
  const container = row.container === null || row.container.engine === "none" ? [] : [CONTAINER];
  return [
    "By hand:  ./run.sh [FOLDER]   runs the command in FOLDER/out; FOLDER must be new (default: job).",
    "It exits with the program's exit code. Paths of the job are replaced by those of FOLDER; programs are",
    "those of the machine that runs it.",
    ...container,
    asCwl,
  ].join("\n");
}

const CONTAINER =
  "It uses a container: WEFT_ENGINE selects another container engine, WEFT_IMAGE another image. The digest of the\noriginal image is in environment.txt.";

function remarks({ inputs, isChanged, shortened }: WholeReadme): string[] {
  return [
    ...(inputs.missing.length === 0
      ? []
      : [
          `Missing from this bundle, because the server no longer has them (put them below inputs/missing/ for run.sh):\n${inputs.missing.map((source) => `  ${source}`).join("\n")}`,
        ]),
    ...(isChanged
      ? [
          "run.sh contains the recorded command line. Planning the job again today gives a different one, because something that\nthe document refers to has changed.",
        ]
      : []),
    ...shortened,
  ];
}
