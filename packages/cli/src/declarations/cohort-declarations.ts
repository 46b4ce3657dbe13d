import { Flag } from "../settings/flag.ts";
import { JSON_OUTPUT, STATE } from "../settings/flags.ts";
import type { Declaration } from "./declaration.ts";

export const COHORT_COMMANDS: readonly Declaration[] = [
  {
    name: "samples",
    summary: "make samples from a dataset",
    description:
      "Asks the server for the samples of a dataset (BIDS, or a folder with a pattern) and prints them as a table.\n" +
      "Exit code 1: there are none.",
    arguments: { "<dataset>": "location (weft-data://NAME/), or name or ID of a saved query" },
    flags: [
      STATE,
      new Flag("--where <CONDITIONS>", "which files: 'suffix=T1w, ses=2, age>60, run!=2'", "list"),
      new Flag("--per <UNIT>", "one sample per subject (default), session, file, or fields: sub,ses,run"),
      new Flag("--column <COLUMN>", "column: 'images: suffix=T1w', age=age, json<images.json", "list"),
      new Flag("--pattern <PATTERN>", "how to parse file names in a folder that is not BIDS"),
      new Flag("--network <ID>", "the network whose inputs the columns fill"),
      new Flag("--left-out", "print what is left out, with reasons"),
      JSON_OUTPUT,
      new Flag("--inputs", "print an input object of the network"),
      new Flag("--save <NAME>", "save the query under this name"),
      new Flag("--start-run", "start a run with the samples and print its ID"),
      new Flag(
        "--copy <OUTPUT=DESTINATION>",
        "copy an output of that run: masks=bids://results/brains/desc-brain_mask",
        "list",
      ),
    ],
    examples: [
      "weft samples weft-data://study/ --where 'suffix=T1w, ses=2, age>60' --column images",
      "weft samples 'Elderly' --network imaging-cohort --start-run",
    ],
    documentation: "docs/how-to/use-datasets.md",
    load: async () => (await import("../commands/samples-command.ts")).samplesCommand,
  },
  {
    name: "demo-dataset",
    summary: "create a synthetic BIDS dataset for practice",
    description: "Creates a BIDS dataset of 40 synthetic subjects with gaps, such as missing sessions.",
    arguments: { "<folder>": "new or empty folder" },
    examples: ["weft demo-dataset study", "weft demo-dataset /data/practice"],
    documentation: "docs/how-to/use-datasets.md",
    load: async () => (await import("../commands/demo-dataset-command.ts")).demoDatasetCommand,
  },
  {
    name: "table",
    summary: "print the results of a cohort as a table",
    description:
      "Prints a row for each sample of a run, with its inputs and results. The server must be running.\n" +
      "Several runs share one table.",
    arguments: { "<runs...>": "IDs of runs" },
    flags: [
      STATE,
      new Flag("--list", "list the fields that a table can have"),
      new Flag("--field <ID>", "a field of the table, such as output.measures/volume_ml (default: all)", "list"),
      new Flag("--format <FORMAT>", "csv (default), tsv, parquet or json"),
      new Flag("--output <FILE>", "write to this file (default: print)"),
    ],
    examples: [
      "weft table 0199e5a0-7b1c-7d2e-8f00-3a4b5c6d7e8f --list",
      "weft table 0199e5a0-7b1c-7d2e-8f00-3a4b5c6d7e8f --format parquet --output cohort.parquet",
    ],
    documentation: "docs/how-to/compare-samples.md",
    load: async () => (await import("../commands/table-command.ts")).tableCommand,
  },
];
