import type { JobRow } from "../journal/rows.ts";
import type { BundledInputs } from "./bundled-inputs.ts";

export interface WholeReadme {
  readonly row: JobRow;
  readonly inputs: BundledInputs;
  /** Why there is no script. */
  readonly unrepeatable: string | undefined;
  /** The command line of today is not the recorded one. */
  readonly isChanged: boolean;
  /** One sentence for every log of which a part is left out. */
  readonly shortened: readonly string[];
}

/** For whoever unpacks a bundle with data: what is in it, how to use it, and what is not as it was. */
export function wholeReadme(readme: WholeReadme): string {
  const { row } = readme;
  const sections = [
    `Debug bundle of the job ${row.jobId} of the run ${row.runId}, attempt ${row.attempt}.`,
    "THIS BUNDLE HOLDS THE DATA OF THE JOB: its input files, what it wrote, names and paths. Send it only to people who\nmay see them. The other kind of bundle (data=false) is made for strangers.",
    howToRepeat(readme),
    CONTENT,
    ...remarks(readme),
  ];
  return `${sections.join("\n\n")}\n`;
}

const CONTENT = `In this bundle
  run.sh           repeats the job in a fresh folder (not for jobs without a command line)
  inputs/          the input files and folders of the job
  inputs.json      the inputs as a CWL input object
  tool.cwl         the tool as a CWL document of its own
  command.txt      the command line as it was
  environment.txt  machine, versions, and the variables of the job
  job.json         the record of the job: state, reason, resources, times, attempts
  logs/            what the job wrote to standard output and standard error`;

function howToRepeat({ unrepeatable, row }: WholeReadme): string {
  const asCwl = "As CWL, with any runner:  npx weft run tool.cwl inputs.json";
  if (unrepeatable !== undefined) return `There is no run.sh: ${unrepeatable}.\n${asCwl}`;
  const container = row.container === null || row.container.engine === "none" ? [] : [CONTAINER];
  return [
    "By hand:  ./run.sh [FOLDER]   runs the command in FOLDER/out, a folder that is not there yet (default: job).",
    "The exit code is that of the program. Where the job had its own paths, the script has those of FOLDER; programs are",
    "those of the machine that it runs on.",
    ...container,
    asCwl,
  ].join("\n");
}

const CONTAINER =
  "It runs in a container: WEFT_ENGINE names another program than the one that was used, WEFT_IMAGE another image. The\ndigest of the image that ran is in environment.txt.";

function remarks({ inputs, isChanged, shortened }: WholeReadme): string[] {
  return [
    ...(inputs.missing.length === 0
      ? []
      : [
          `Not in this bundle, because they are no longer on the server (put them below inputs/missing/ for run.sh):\n${inputs.missing.map((source) => `  ${source}`).join("\n")}`,
        ]),
    ...(isChanged
      ? [
          "The command line in run.sh is the recorded one; planned again today it would be another: something that the\ndocument refers to has changed since.",
        ]
      : []),
    ...shortened,
  ];
}
