import { Flag } from "../settings/flag.ts";
import { CATALOG, DATA, FURTHER_JOB_FLAGS, JOB_FLAGS, OUTDIR, QUIET, SANDBOX, STATE } from "../settings/flags.ts";
import type { Declaration } from "./declaration.ts";

/** Creates new flags for each command: one command shows them in its help page, another does not. */
const partFlags = () => [
  new Flag("--target <NAME>", "only what this output needs, or what follows this step or input", { isList: true }),
  new Flag("--single-step <STEP>", "only this step, with its inputs"),
  new Flag("--single-process <STEP>", "only the process that this step runs"),
];

const FURTHER_RUN_FLAGS = [
  ...partFlags(),
  new Flag("--basedir <DIR>", "base folder of relative paths in inputs"),
  new Flag("--overrides <FILE>", "requirements for processes and steps (cwltool:overrides)"),
  new Flag("--default-container <IMAGE>", "image for tools that name none"),
  new Flag("--preserve-environment <NAME>", "pass this variable to jobs", { isList: true }),
  new Flag("--on-error <stop|continue>", "after a failure: stop (default), or run independent steps"),
  new Flag("--skip-schemas", "do not check formats with the ontologies in $schemas"),
  new Flag("--non-strict", "ignore unknown fields of documents"),
  new Flag("--tmpdir-prefix <PREFIX>", "path prefix of the temporary folder"),
  new Flag("--leave-tmpdir", "keep the temporary folder"),
  new Flag("--debug", "print the command line of each job"),
  new Flag("--write-summary <FILE>", "write the output object to this file instead"),
  ...FURTHER_JOB_FLAGS,
];

const RUN_FLAGS = [
  OUTDIR,
  QUIET,
  new Flag("--state <DIR>", "folder for job files and downloads (default: a temporary folder)"),
  ...JOB_FLAGS,
  new Flag("--plan", "print steps, command lines and resources; start nothing"),
  new Flag("--json", "print the plan as JSON; requires --plan"),
  new Flag("--provenance <DIR>", "write an RO-Crate of the run, even if it fails"),
  new Flag("--sidecar", "write the provenance of each output next to it (a.nii.prov.json)"),
];

const RUN: Declaration = {
  name: "run",
  summary: "run a CWL document",
  description: "Runs a CWL document and prints its output object as JSON.",
  arguments: {
    "<document[#id]>": "path, URL or trs:// address of the document",
    "[inputs]": "path of the input object (YAML or JSON), - for standard input",
    "[flags...]": "values of inputs; weft run DOCUMENT --help lists them",
  },
  readsWords: true,
  flags: RUN_FLAGS,
  furtherFlags: FURTHER_RUN_FLAGS,
  examples: ["weft run --outdir results network.cwl inputs.yml", "weft run tool.cwl --message hi --file t.txt"],
  documentation: "docs/reference/command-line.md",
  load: async () => (await import("../commands/run-command.ts")).runCommand,
};

const VALIDATE: Declaration = {
  name: "validate",
  summary: "check CWL documents",
  description: "Checks CWL documents and prints each problem as file:line:column: message.",
  arguments: { "<documents...>": "paths or URLs" },
  examples: ["weft validate network.cwl", "weft validate tools/smooth.cwl tools/measure.cwl"],
  documentation: "docs/reference/cwl-support.md",
  load: async () => (await import("../commands/validate-command.ts")).validateCommand,
};

const WRAP: Declaration = {
  name: "wrap",
  summary: "make a tool from a command line",
  description: "Makes a CWL tool from a command line, its file names and the help of its program.",
  arguments: { "<command>": "the whole command line, in quotation marks" },
  flags: [
    new Flag("--help-text <FILE>", "read the help from this file (default: run PROGRAM --help)"),
    new Flag("--yes", "do not ask; assume the likelier answer"),
    new Flag("--image <IMAGE>", "container image to name in the hints"),
    new Flag("--outdir <DIR>", "write the tool, an example and a test there (default: print the tool)"),
    SANDBOX,
  ],
  examples: [
    "weft wrap 'samtools sort -o out.bam in.bam' --outdir samtools-sort",
    "weft wrap 'wc -l text.txt' --yes > wc.cwl",
  ],
  documentation: "docs/reference/wrap.md",
  load: async () => (await import("../commands/wrap-command.ts")).wrapCommand,
};

const LINT: Declaration = {
  name: "lint",
  summary: "find bad practice in valid documents",
  description: "Checks valid CWL documents for bad practice. Exit code 1: problems were found.",
  arguments: { "<documents...>": "paths or URLs" },
  flags: [new Flag("--state <DIR>", "also compare requested resources with the jobs in this state folder")],
  examples: ["weft lint network.cwl", "weft lint --state /srv/weft catalog/tools/smooth/1.0.0/smooth.cwl"],
  documentation: "docs/how-to/write-a-catalog.md",
  load: async () => (await import("../commands/lint-command.ts")).lintCommand,
};

const UPGRADE: Declaration = {
  name: "upgrade",
  summary: "rewrite documents as CWL v1.2",
  description: "Prints a document of CWL draft-3, v1.0 or v1.1 as v1.2. Keeps comments and order.",
  arguments: { "<documents...>": "paths" },
  flags: [new Flag("--write", "rewrite the files instead")],
  examples: ["weft upgrade old.cwl > new.cwl", "weft upgrade --write tools/a.cwl tools/b.cwl"],
  documentation: "docs/how-to/write-a-catalog.md",
  load: async () => (await import("../commands/upgrade-command.ts")).upgradeCommand,
};

const LSP: Declaration = {
  name: "lsp",
  summary: "support CWL in editors",
  description: "Serves the Language Server Protocol on standard input and output, for editors.",
  flags: [new Flag("--stdio", "use standard input and output (always on; editors pass it)")],
  examples: ["weft lsp --stdio", "weft lsp"],
  documentation: "docs/how-to/write-cwl-in-an-editor.md",
  load: async () => (await import("../commands/lsp-command.ts")).lspCommand,
};

const INIT: Declaration = {
  name: "init",
  summary: "write an input object to fill in",
  description: "Prints an input object for a document as YAML, with a comment for each input.",
  arguments: { "<document[#id]>": "path or URL of the document" },
  examples: ["weft init tool.cwl > inputs.yml", "weft init network.cwl#main"],
  documentation: "docs/reference/command-line.md",
  load: async () => (await import("../commands/init-command.ts")).initCommand,
};

const GRAPH: Declaration = {
  name: "graph",
  summary: "draw a document as dot, SVG or Mermaid",
  description: "Prints the graph of a document: its inputs, steps and outputs.",
  arguments: { "<document[#id]>": "path or URL of the document" },
  flags: [new Flag("--format <FORMAT>", "dot (default), svg, mermaid or text")],
  examples: ["weft graph network.cwl --format svg > network.svg", "weft graph network.cwl --format mermaid"],
  documentation: "docs/reference/command-line.md",
  load: async () => (await import("../commands/graph-command.ts")).graphCommand,
};

const PACK: Declaration = {
  name: "pack",
  summary: "combine a document and its parts into one",
  description: "Prints a document and everything it refers to as one JSON document.",
  arguments: { "<document[#id]>": "path or URL of the document" },
  flags: partFlags(),
  examples: ["weft pack network.cwl > packed.cwl", "weft pack --target report network.cwl"],
  documentation: "docs/reference/command-line.md",
  load: async () => (await import("../commands/pack-command.ts")).packCommand,
};

const DEPS: Declaration = {
  name: "deps",
  summary: "list the files that a document refers to",
  description: "Lists the files that a document or input object refers to, including defaults.",
  arguments: { "<document>": "path or URL of the document or input object" },
  flags: [
    new Flag("--json", "print a File object with secondaryFiles"),
    new Flag("--relative-deps <BASE>", "base of paths: primary (the document, default) or cwd"),
  ],
  examples: ["weft deps network.cwl", "weft deps --json inputs.yml"],
  documentation: "docs/reference/command-line.md",
  load: async () => (await import("../commands/deps-command.ts")).depsCommand,
};

const TEST_FLAGS = [
  CATALOG,
  new Flag("--update", "write the actual values into failed tests, after confirmation"),
  new Flag("--yes", "do not ask: write what --update or --from-run writes"),
  new Flag("--tap <FILE>", "write the results in the Test Anything Protocol"),
  new Flag("--junit <FILE>", "write the results as JUnit XML"),
  new Flag("--parallel <N>", "maximum number of parallel tests (default 1)"),
  QUIET,
  new Flag("--from-run <ID>", "write a test from a successful run instead"),
  new Flag("--name <NAME>", "name of the test that --from-run writes (default: from the run)"),
  STATE,
  DATA,
  ...JOB_FLAGS,
];

const TEST: Declaration = {
  name: "test",
  summary: "test tools and networks",
  description:
    "Runs the tests of a catalog (tests/*.yml next to documents), a document, or a cwltest suite.\n" +
    "Exit code 0: all passed; 1: a test failed.",
  arguments: {
    "[target]": "catalog, document, test or suite (default: --catalog)",
    "[ids...]": "only these: smooth, smooth/1.0.0 or smooth/1.0.0/one-subject",
  },
  flags: TEST_FLAGS,
  furtherFlags: FURTHER_JOB_FLAGS,
  examples: ["weft test my-catalog smooth --junit results.xml", "weft test --update my-catalog/tools/smooth/1.0.0"],
  documentation: "docs/reference/tests.md",
  load: async () => (await import("../commands/test-command.ts")).testCommand,
};

export const DOCUMENT_COMMANDS: readonly Declaration[] = [
  RUN,
  VALIDATE,
  WRAP,
  LINT,
  UPGRADE,
  LSP,
  INIT,
  GRAPH,
  PACK,
  DEPS,
  TEST,
];
