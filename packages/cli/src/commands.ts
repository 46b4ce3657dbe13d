import { Command } from "commander";
import { Flag } from "./settings/flag.ts";
import {
  BACKEND,
  CATALOG,
  CONTAINER,
  DATA,
  FURTHER_JOB_FLAGS,
  FURTHER_OIDC_FLAGS,
  JOB_FLAGS,
  JSON_OUTPUT,
} from "./settings/flags.ts";
import { MAIN_OIDC_FLAGS, OUTDIR, QUIET, SANDBOX, STATE } from "./settings/flags.ts";
import { readSettings } from "./settings/read-settings.ts";
import type { Settings } from "./settings/read-settings.ts";
import { VERSION } from "./settings/version.ts";

/** A command of `weft`. Parsing and help both come from this declaration. */
interface Declaration {
  readonly name: string;
  /** The purpose in one line, for the list of commands. */
  readonly summary: string;
  /** The purpose as one sentence, for the help page of the command. */
  readonly description: string;
  /** `<name>` for a required argument, `[name]` for an optional one → its meaning. */
  readonly arguments?: Readonly<Record<string, string>>;
  readonly flags?: readonly Flag[];
  /** Flags that the help page only names; docs/reference/command-line.md explains all flags. */
  readonly furtherFlags?: readonly Flag[];
  /** The command reads what follows its first argument by itself: flags of a document's inputs. */
  readonly readsWords?: true;
  readonly examples: readonly [string, string];
  /** The page about the command, as a path in the repository. */
  readonly documentation: string;
  /** Loads the code of this command only, so that every command starts fast. */
  readonly load?: () => Promise<(settings: Settings) => Promise<number>>;
  readonly commands?: readonly Declaration[];
}

const HELP_COLUMNS = 100;

/** New ones for each command that listens, or checks whether it could. */
const addressFlags = () => [
  new Flag("--host <HOST>", "listen address (default 127.0.0.1)"),
  new Flag("--port <PORT>", "listen port; 0 picks a free one (default 8080)"),
  new Flag("--base-url <URL>", "public URL of the server (default: the listen address)"),
];

const NO_CONTROL_GROUPS = new Flag("--no-control-groups", "do not put jobs into control groups");

const SERVE_FLAGS = [
  ...addressFlags(),
  CATALOG,
  STATE,
  DATA,
  new Flag("--sink <NAME=DIR>", "output destination that runs may write to", { isList: true }),
  ...JOB_FLAGS,
  NO_CONTROL_GROUPS,
  new Flag("--auth <none|token|oidc>", "how users sign in (default none: this account only)"),
  new Flag("--private-runs", "show non-admins only their own runs"),
  new Flag("--commit-published", "let authors commit published versions, if the catalog is a git work tree"),
  new Flag("--no-workbench", "no editing and publishing of tools and networks in the browser"),
  new Flag("--let-everybody-in", "no login on a public address: anyone can run commands here"),
  ...MAIN_OIDC_FLAGS,
  new Flag("--behind-proxy", "a reverse proxy on this machine provides TLS"),
];

const FURTHER_SERVE_FLAGS = [
  new Flag("--read-rate <N>", "reads per second per client (default: 200 with a login; 0: no limit)"),
  new Flag("--write-rate <N>", "writes per second per client (default: 10 with a login; 0: no limit)"),
  new Flag("--trust-proxy <ADDRESS>", "trust the X-Forwarded headers of this proxy", { isList: true }),
  new Flag("--max-open-runs <N>", "maximum number of unfinished runs (default 10000)"),
  ...FURTHER_JOB_FLAGS,
  ...FURTHER_OIDC_FLAGS,
  new Flag("--shared <DIR>", "folder shared with cluster nodes or TES workers (default: in --state)"),
  new Flag("--wes-documents <admin|author>", "the role that may run other documents through WES (default: nobody)"),
  new Flag("--wes-hosts <HOST,…>", "hosts that such documents may come from (default: none)", { isList: true }),
  new Flag("--run-name <[ID=]TEMPLATE>", "names of runs, also of one network (docs/how-to/manage-runs.md)", {
    isList: true,
  }),
  new Flag("--webhook-hosts <HOST,…>", "hosts that webhooks may be sent to (default: none)", { isList: true }),
  new Flag("--smtp-url <URL>", "mail server for notifications: smtps://USER:PASSWORD@HOST (default: none)"),
  new Flag("--mail-from <ADDRESS>", "sender of notifications"),
  new Flag("--mail-domains <DOMAIN,…>", "domains of recipients (default: that of --mail-from)", { isList: true }),
  new Flag("--peer-user <USER>", "another account that may connect without a login", { isList: true }),
  new Flag("--max-upload-bytes <N>", "maximum size of one upload (default 100 GiB)"),
];

/** New ones for each command: one shows them in its help page, another does not. */
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
  new Flag("--tmpdir-prefix <PREFIX>", "parent folder and first letters of the temporary folder"),
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

const VERIFY_FLAGS = [
  STATE,
  new Flag("--log-only", "check the log but not the files"),
  DATA,
  CATALOG,
  new Flag("--head <NUMBER:HASH>", "log head printed by an earlier check"),
];

const REPRODUCE_FLAGS = [
  STATE,
  OUTDIR,
  new Flag("--relative <N>", "relative tolerance for numbers, 0 to 1 (default 0)"),
  new Flag("--absolute <N>", "absolute tolerance for numbers (default 0)"),
  JSON_OUTPUT,
  QUIET,
  ...JOB_FLAGS,
];

const TEST_FLAGS = [
  CATALOG,
  new Flag("--update", "write the actual values into failed tests, after a question"),
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

const PRUNE_FLAGS = [
  STATE,
  new Flag("--run <ID>", "prune one run (default: all finished runs)"),
  new Flag("--older-than <AGE>", "prune only runs that finished at least this long ago: 30d"),
  new Flag("--intermediate", "prune intermediate files (default)"),
  new Flag("--logs", "prune job logs; requires --run"),
  new Flag("--outputs", "prune outputs; requires --run"),
  new Flag("--all", "prune intermediate files, logs and outputs; requires --run"),
  new Flag("--uploads", "prune uploads that no run uses"),
  new Flag("--downloads", "prune downloads that no run uses"),
  new Flag("--dry-run", "delete nothing, even with --yes"),
  new Flag("--yes", "delete the listed files (default: only list them)"),
  JSON_OUTPUT,
];

const SAMPLES_FLAGS = [
  STATE,
  new Flag("--where <CONDITIONS>", "which files: 'suffix=T1w, ses=2, age>60, run!=2'", { isList: true }),
  new Flag("--per <UNIT>", "one sample per subject (default), session, file, or fields: sub,ses,run"),
  new Flag("--column <COLUMN>", "column: 'images: suffix=T1w', age=age, json<images.json", { isList: true }),
  new Flag("--pattern <PATTERN>", "how to read names of a folder that is not BIDS"),
  new Flag("--network <ID>", "the network whose inputs the columns fill"),
  new Flag("--left-out", "print what is left out, with reasons"),
  JSON_OUTPUT,
  new Flag("--inputs", "print an input object of the network"),
  new Flag("--save <NAME>", "save the query under this name"),
  new Flag("--start-run", "start a run of the samples and print its ID"),
];

const DOCTOR_FLAGS = [STATE, ...addressFlags(), BACKEND, CONTAINER, SANDBOX, NO_CONTROL_GROUPS, JSON_OUTPUT];

const TOKEN: Declaration = {
  name: "token",
  summary: "create, list and revoke access tokens",
  description: "Creates, lists and revokes access tokens. A running server applies changes immediately.",
  flags: [STATE],
  examples: ["weft token create --name alice --role runner", "weft token list --state /srv/weft"],
  documentation: "docs/how-to/operate-a-server.md",
  commands: [
    {
      name: "create",
      summary: "create a token and print it once",
      description: "Creates a token and prints it. Weft cannot show it again.",
      flags: [
        new Flag("--name <NAME>", "name of the token, and owner of its runs"),
        new Flag("--role <viewer|runner|author|admin>", "role of the token"),
        new Flag("--expires <90d|12h|never>", "lifetime of the token (default 90d)"),
      ],
      examples: [
        "weft token create --name alice --role runner",
        "weft token create --name dashboard --role viewer --expires never",
      ],
      documentation: "docs/how-to/operate-a-server.md",
      load: async () => (await import("./commands/token-command.ts")).createToken,
    },
    {
      name: "list",
      summary: "list tokens",
      description: "Lists the names, roles and expiry dates of all tokens.",
      examples: ["weft token list", "weft token list --state /srv/weft"],
      documentation: "docs/how-to/operate-a-server.md",
      load: async () => (await import("./commands/token-command.ts")).listTokens,
    },
    {
      name: "revoke",
      summary: "revoke a token",
      description: "Revokes a token and signs out every browser that used it.",
      arguments: { "<name>": "name of the token" },
      examples: ["weft token revoke alice", "weft token revoke alice --state /srv/weft"],
      documentation: "docs/how-to/operate-a-server.md",
      load: async () => (await import("./commands/token-command.ts")).revokeToken,
    },
  ],
};

const NOTIFY_PAGE = "docs/how-to/get-notified.md";
const loadNotify = () => import("./commands/notify-command.ts");

/** They ask the server that has the state folder. */
const NOTIFY: Declaration = {
  name: "notify",
  summary: "send webhooks, mails and feeds about runs",
  description: "Manages subscriptions to runs. The server must be running.",
  flags: [STATE],
  examples: ["weft notify list", "weft notify add --network imaging-cohort --feed"],
  documentation: NOTIFY_PAGE,
  commands: [
    {
      name: "list",
      summary: "list subscriptions",
      description: "Lists subscriptions: ID, channel, subject, triggers, pending deliveries, target and name.",
      flags: [JSON_OUTPUT],
      examples: ["weft notify list", "weft notify list --json"],
      documentation: NOTIFY_PAGE,
      load: async () => (await loadNotify()).listSubscriptions,
    },
    {
      name: "add",
      summary: "subscribe",
      description: "Subscribes, and prints the secret of a webhook or the address of a feed, once.",
      flags: [
        new Flag("--run <ID>", "the end of this run"),
        new Flag("--network <ID>", "the runs of this network"),
        new Flag("--owner <NAME>", "the runs of this person"),
        new Flag("--on <TRIGGER,…>", "failure (default), success or automation-stopped", { isList: true }),
        new Flag("--webhook <URL>", "send signed messages there"),
        new Flag("--email <ADDRESS>", "send mails there"),
        new Flag("--feed", "make an Atom feed of a network"),
        new Flag("--name <NAME>", "name of the subscription"),
        JSON_OUTPUT,
      ],
      examples: [
        "weft notify add --network imaging-cohort --on failure,success --email ann@lab.example",
        "weft notify add --owner local --webhook https://bot.lab.example/weft",
      ],
      documentation: NOTIFY_PAGE,
      load: async () => (await loadNotify()).addSubscription,
    },
    {
      name: "remove",
      summary: "delete a subscription",
      description: "Deletes a subscription and its deliveries.",
      arguments: { "<id>": "ID of the subscription" },
      examples: [
        "weft notify remove 4c2f6a0e-5d1b-4a67-9d2e-0b8f2f1c7a11",
        "weft notify remove --state /srv/weft 4c2f6a0e-5d1b-4a67-9d2e-0b8f2f1c7a11",
      ],
      documentation: NOTIFY_PAGE,
      load: async () => (await loadNotify()).removeSubscription,
    },
    {
      name: "test",
      summary: "send a test message",
      description: "Sends a test message to a webhook or a mail address.",
      arguments: { "<id>": "ID of the subscription" },
      examples: [
        "weft notify test 4c2f6a0e-5d1b-4a67-9d2e-0b8f2f1c7a11",
        "weft notify test --state /srv/weft 4c2f6a0e-5d1b-4a67-9d2e-0b8f2f1c7a11",
      ],
      documentation: NOTIFY_PAGE,
      load: async () => (await loadNotify()).testSubscription,
    },
    {
      name: "deliveries",
      summary: "list what was sent",
      description: "Lists the newest deliveries of a subscription: ID, state, attempts, trigger, run and error.",
      arguments: { "<id>": "ID of the subscription" },
      flags: [JSON_OUTPUT],
      examples: [
        "weft notify deliveries 4c2f6a0e-5d1b-4a67-9d2e-0b8f2f1c7a11",
        "weft notify deliveries 4c2f6a0e-5d1b-4a67-9d2e-0b8f2f1c7a11 --json",
      ],
      documentation: NOTIFY_PAGE,
      load: async () => (await loadNotify()).listDeliveries,
    },
    {
      name: "resend",
      summary: "send a message again",
      description: "Sends a message again, delivered or not.",
      arguments: { "<delivery>": "ID of the delivery" },
      examples: [
        "weft notify resend 4c2f6a0e-5d1b-4a67-9d2e-0b8f2f1c7a11.42",
        "weft notify resend --state /srv/weft 4c2f6a0e-5d1b-4a67-9d2e-0b8f2f1c7a11.42",
      ],
      documentation: NOTIFY_PAGE,
      load: async () => (await loadNotify()).resendDelivery,
    },
  ],
};

const AUTOMATE_PAGE = "docs/how-to/automate-runs.md";
const loadAutomate = () => import("./commands/automate-command.ts");

/** They ask the server that has the state folder. */
const AUTOMATE: Declaration = {
  name: "automate",
  summary: "start runs by themselves",
  description: "Manages automations, which start runs for new samples or at given times. The server must be running.",
  flags: [STATE],
  examples: ["weft automate list", "weft automate add --dry-run nightly.json"],
  documentation: AUTOMATE_PAGE,
  commands: [
    {
      name: "list",
      summary: "list automations",
      description: "Lists automations: ID, state, network, trigger, runs, name and reason.",

      flags: [JSON_OUTPUT],
      examples: ["weft automate list", "weft automate list --json"],
      documentation: AUTOMATE_PAGE,
      load: async () => (await loadAutomate()).listAutomations,
    },
    {
      name: "add",
      summary: "create an automation",
      description: "Creates an automation from a JSON file and prints its ID.",
      arguments: { "<file>": "settings as POST /api/automations takes them" },
      flags: [new Flag("--dry-run", "print what it would start now, and create nothing"), JSON_OUTPUT],
      examples: ["weft automate add nightly.json", "weft automate add --dry-run nightly.json"],
      documentation: AUTOMATE_PAGE,
      load: async () => (await loadAutomate()).addAutomation,
    },
    {
      name: "plan",
      summary: "show what an automation would do now",
      description: "Prints which samples an automation would start now, and why not the others.",
      arguments: { "<id>": "ID of the automation" },
      flags: [JSON_OUTPUT],
      examples: [
        "weft automate plan 7a1d4c0e-3f52-4b86-9c1e-5d2a8e6f4b10",
        "weft automate plan --state /srv/weft 7a1d4c0e-3f52-4b86-9c1e-5d2a8e6f4b10",
      ],
      documentation: AUTOMATE_PAGE,
      load: async () => (await loadAutomate()).planAutomation,
    },
    {
      name: "history",
      summary: "list what an automation did",
      description: "Lists the newest actions: time, kind, run, its state, samples and detail.",
      arguments: { "<id>": "ID of the automation" },
      flags: [JSON_OUTPUT],
      examples: [
        "weft automate history 7a1d4c0e-3f52-4b86-9c1e-5d2a8e6f4b10",
        "weft automate history --state /srv/weft 7a1d4c0e-3f52-4b86-9c1e-5d2a8e6f4b10",
      ],
      documentation: AUTOMATE_PAGE,
      load: async () => (await loadAutomate()).automationHistory,
    },
    {
      name: "pause",
      summary: "pause an automation",
      description: "Pauses an automation; its runs continue.",
      arguments: { "<id>": "ID of the automation" },

      examples: [
        "weft automate pause 7a1d4c0e-3f52-4b86-9c1e-5d2a8e6f4b10",
        "weft automate pause --state /srv/weft 7a1d4c0e-3f52-4b86-9c1e-5d2a8e6f4b10",
      ],
      documentation: AUTOMATE_PAGE,
      load: async () => (await loadAutomate()).pauseAutomation,
    },
    {
      name: "resume",
      summary: "resume an automation",
      description: "Resumes a paused or stopped automation.",
      arguments: { "<id>": "ID of the automation" },

      examples: [
        "weft automate resume 7a1d4c0e-3f52-4b86-9c1e-5d2a8e6f4b10",
        "weft automate resume --state /srv/weft 7a1d4c0e-3f52-4b86-9c1e-5d2a8e6f4b10",
      ],
      documentation: AUTOMATE_PAGE,
      load: async () => (await loadAutomate()).resumeAutomation,
    },
    {
      name: "remove",
      summary: "delete an automation",
      description: "Deletes an automation and its history; its runs stay.",
      arguments: { "<id>": "ID of the automation" },

      examples: [
        "weft automate remove 7a1d4c0e-3f52-4b86-9c1e-5d2a8e6f4b10",
        "weft automate remove --state /srv/weft 7a1d4c0e-3f52-4b86-9c1e-5d2a8e6f4b10",
      ],
      documentation: AUTOMATE_PAGE,
      load: async () => (await loadAutomate()).removeAutomation,
    },
  ],
};

const COMMANDS: readonly Declaration[] = [
  {
    name: "serve",
    summary: "serve the web application and the API",
    description: "Serves the web application and the API, and prints the server's URL.",
    flags: SERVE_FLAGS,
    furtherFlags: FURTHER_SERVE_FLAGS,
    examples: [
      "weft serve --catalog my-catalog --data study=/data/study",
      "weft serve --auth token --host 0.0.0.0 --behind-proxy --base-url https://weft.example.org",
    ],
    documentation: "docs/how-to/operate-a-server.md",
    load: async () => (await import("./commands/serve-command.ts")).serveCommand,
  },
  {
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
    load: async () => (await import("./commands/run-command.ts")).runCommand,
  },
  {
    name: "validate",
    summary: "check CWL documents",
    description: "Checks CWL documents and prints each problem as file:line:column: message.",
    arguments: { "<documents...>": "paths or URLs" },
    examples: ["weft validate network.cwl", "weft validate tools/smooth.cwl tools/measure.cwl"],
    documentation: "docs/reference/cwl-support.md",
    load: async () => (await import("./commands/validate-command.ts")).validateCommand,
  },
  {
    name: "wrap",
    summary: "make a tool from a command line",
    description: "Makes a CWL tool from a command line, its file names and the help of its program.",
    arguments: { "<command>": "the whole command line, in quotation marks" },
    flags: [
      new Flag("--help-text <FILE>", "read the help from this file (default: run PROGRAM --help)"),
      new Flag("--yes", "do not ask: take what is more likely"),
      new Flag("--image <IMAGE>", "container image to name in the hints"),
      new Flag("--outdir <DIR>", "write the tool, an example and a test there (default: print the tool)"),
      SANDBOX,
    ],
    examples: [
      "weft wrap 'samtools sort -o out.bam in.bam' --outdir samtools-sort",
      "weft wrap 'wc -l text.txt' --yes > wc.cwl",
    ],
    documentation: "docs/reference/wrap.md",
    load: async () => (await import("./commands/wrap-command.ts")).wrapCommand,
  },
  {
    name: "lint",
    summary: "find what is valid but unwise",
    description: "Checks valid CWL documents for what is unwise. Exit code 1: something was found.",
    arguments: { "<documents...>": "paths or URLs" },
    flags: [new Flag("--state <DIR>", "also compare requested resources with the jobs in this state folder")],
    examples: ["weft lint network.cwl", "weft lint --state /srv/weft catalog/tools/smooth/1.0.0/smooth.cwl"],
    documentation: "docs/how-to/write-a-catalog.md",
    load: async () => (await import("./commands/lint-command.ts")).lintCommand,
  },
  {
    name: "upgrade",
    summary: "rewrite documents as CWL v1.2",
    description: "Prints a document of CWL draft-3, v1.0 or v1.1 as v1.2. Comments and order stay.",
    arguments: { "<documents...>": "paths" },
    flags: [new Flag("--write", "rewrite the files instead")],
    examples: ["weft upgrade old.cwl > new.cwl", "weft upgrade --write tools/a.cwl tools/b.cwl"],
    documentation: "docs/how-to/write-a-catalog.md",
    load: async () => (await import("./commands/upgrade-command.ts")).upgradeCommand,
  },
  {
    name: "lsp",
    summary: "support CWL in editors",
    description: "Serves the Language Server Protocol on standard input and output, for editors.",
    flags: [new Flag("--stdio", "use standard input and output (always on; editors pass it)")],
    examples: ["weft lsp --stdio", "weft lsp"],
    documentation: "docs/how-to/write-cwl-in-an-editor.md",
    load: async () => (await import("./commands/lsp-command.ts")).lspCommand,
  },
  {
    name: "init",
    summary: "write an input object to fill in",
    description: "Prints an input object for a document as YAML, with a comment for each input.",
    arguments: { "<document[#id]>": "path or URL of the document" },
    examples: ["weft init tool.cwl > inputs.yml", "weft init network.cwl#main"],
    documentation: "docs/reference/command-line.md",
    load: async () => (await import("./commands/init-command.ts")).initCommand,
  },
  {
    name: "graph",
    summary: "draw a document as dot, SVG or Mermaid",
    description: "Prints the graph of a document: its inputs, steps and outputs.",
    arguments: { "<document[#id]>": "path or URL of the document" },
    flags: [new Flag("--format <FORMAT>", "dot (default), svg, mermaid or text")],
    examples: ["weft graph network.cwl --format svg > network.svg", "weft graph network.cwl --format mermaid"],
    documentation: "docs/reference/command-line.md",
    load: async () => (await import("./commands/graph-command.ts")).graphCommand,
  },
  {
    name: "pack",
    summary: "combine a document and its parts into one",
    description: "Prints a document and everything it refers to as one JSON document.",
    arguments: { "<document[#id]>": "path or URL of the document" },
    flags: partFlags(),
    examples: ["weft pack network.cwl > packed.cwl", "weft pack --target report network.cwl"],
    documentation: "docs/reference/command-line.md",
    load: async () => (await import("./commands/pack-command.ts")).packCommand,
  },
  {
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
    load: async () => (await import("./commands/deps-command.ts")).depsCommand,
  },
  {
    name: "samples",
    summary: "make samples of a dataset",
    description:
      "Asks the server for the samples of a dataset (BIDS, or a folder with a pattern) and prints them as a table.\n" +
      "Exit code 1: there are none.",
    arguments: { "<dataset>": "location (weft-data://NAME/), or name or ID of a saved query" },
    flags: SAMPLES_FLAGS,
    examples: [
      "weft samples weft-data://study/ --where 'suffix=T1w, ses=2, age>60' --column images",
      "weft samples 'Elderly' --network imaging-cohort --start-run",
    ],
    documentation: "docs/how-to/use-datasets.md",
    load: async () => (await import("./commands/samples-command.ts")).samplesCommand,
  },
  {
    name: "demo-dataset",
    summary: "create a synthetic BIDS dataset for practice",
    description: "Creates a BIDS dataset of 40 synthetic subjects with gaps, such as missing sessions.",
    arguments: { "<folder>": "new or empty folder" },
    examples: ["weft demo-dataset study", "weft demo-dataset /data/practice"],
    documentation: "docs/how-to/use-datasets.md",
    load: async () => (await import("./commands/demo-dataset-command.ts")).demoDatasetCommand,
  },
  {
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
    load: async () => (await import("./commands/test-command.ts")).testCommand,
  },
  TOKEN,
  NOTIFY,
  AUTOMATE,
  {
    name: "audit",
    summary: "check the audit log",
    description: "Checks the audit log for changed or missing entries and prints its last hash.",
    flags: [STATE],
    examples: ["weft audit", "weft audit --state /srv/weft"],
    documentation: "docs/how-to/operate-a-server.md",
    load: async () => (await import("./commands/audit-command.ts")).auditCommand,
  },
  {
    name: "backup",
    summary: "back up a state folder",
    description: "Backs up the log of a state folder. The server may be running.",
    arguments: { "<target>": "folder to create" },
    flags: [STATE, new Flag("--with-files", "also copy uploads and the files of runs")],
    examples: ["weft backup /backup/weft-monday", "weft backup --state /srv/weft --with-files /backup/weft-full"],
    documentation: "docs/how-to/back-up.md",
    load: async () => (await import("./commands/backup-command.ts")).backupCommand,
  },
  {
    name: "restore",
    summary: "restore a state folder from a backup",
    description: "Checks a backup and creates a new state folder from it.",
    arguments: { "<backup>": "folder that weft backup created" },
    flags: [new Flag("--state <DIR>", "state folder to create (required)")],
    examples: [
      "weft restore --state restored /backup/weft-monday",
      "weft restore --state /srv/weft-new /backup/weft-full",
    ],
    documentation: "docs/how-to/back-up.md",
    load: async () => (await import("./commands/restore-command.ts")).restoreCommand,
  },
  {
    name: "verify",
    summary: "find changes to recorded events and files",
    description: "Lists all events, documents and files that changed after Weft recorded them.",
    arguments: { "[state|crate]": "state folder or unpacked crate (default: the state folder)" },
    flags: VERIFY_FLAGS,
    examples: ["weft verify --state /srv/weft --log-only", "weft verify results/crate"],
    documentation: "docs/explanation/provenance.md",
    load: async () => (await import("./commands/verify-command.ts")).verifyCommand,
  },
  {
    name: "import",
    summary: "import a run from an RO-Crate, or a tool from a registry",
    description:
      "Imports a run from another server and prints its new ID. This server may be running.\n" +
      "With trs://HOST/ID/VERSION: adds a tool or network from a registry (GA4GH TRS) to a catalog.",
    arguments: { "<crate>": "folder, zip, or trs:// address" },
    flags: [STATE, CATALOG],
    examples: ["weft import run.zip", "weft import --catalog my-catalog trs://tools.example.org/align/1.0.0"],
    documentation: "docs/explanation/provenance.md",
    load: async () => (await import("./commands/import-command.ts")).importCommand,
  },
  {
    name: "reproduce",
    summary: "run a recorded run again and compare the outputs",
    description:
      "Runs a recorded run again without the cache and compares the outputs.\n" +
      "Exit code 0: equal or within tolerance; 1: different or failed; 3: could not run.",
    arguments: { "<run|crate>": "run ID, or a crate as a folder or zip" },
    flags: REPRODUCE_FLAGS,
    furtherFlags: FURTHER_JOB_FLAGS,
    examples: ["weft reproduce run.zip --relative 0.01", "weft reproduce 0199e5a0-7b1c-7d2e-8f00-3a4b5c6d7e8f --json"],
    documentation: "docs/explanation/provenance.md",
    load: async () => (await import("./commands/reproduce-command.ts")).reproduceCommand,
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
      new Flag("--field <ID>", "a field of the table, such as output.measures/volume_ml (default: all)", {
        isList: true,
      }),
      new Flag("--format <FORMAT>", "csv (default), tsv, parquet or json"),
      new Flag("--output <FILE>", "write to this file (default: print)"),
    ],
    examples: [
      "weft table 0199e5a0-7b1c-7d2e-8f00-3a4b5c6d7e8f --list",
      "weft table 0199e5a0-7b1c-7d2e-8f00-3a4b5c6d7e8f --format parquet --output cohort.parquet",
    ],
    documentation: "docs/how-to/compare-samples.md",
    load: async () => (await import("./commands/table-command.ts")).tableCommand,
  },
  {
    name: "prune",
    summary: "delete files of finished runs",
    description: "Lists the files that finished runs no longer need, and deletes them with --yes.",
    flags: PRUNE_FLAGS,
    examples: ["weft prune --older-than 30d", "weft prune --uploads --downloads --yes"],
    documentation: "docs/how-to/operate-a-server.md",
    load: async () => (await import("./commands/prune-command.ts")).pruneCommand,
  },
  {
    name: "migrate",
    summary: "bring a state folder to this version",
    description:
      "Migrates a state folder to this version of Weft, after a copy of its log. weft serve does so too.\n" +
      "The server must be stopped, except for --check.",
    flags: [
      STATE,
      new Flag("--check", "try the migration on a copy and change nothing"),
      new Flag("--undo", "return to the log from before the last migration"),
    ],
    examples: ["weft migrate --check", "weft migrate --state /srv/weft --undo"],
    documentation: "docs/how-to/upgrade.md",
    load: async () => (await import("./commands/migrate-command.ts")).migrateCommand,
  },
  {
    name: "doctor",
    summary: "check what this machine provides and lacks",
    description:
      "Checks this machine for a server with these options: each line has ✓, or a reason and a command.\n" +
      "Exit code 0: a server can work here; 1: a check failed.",
    flags: DOCTOR_FLAGS,
    examples: ["weft doctor", "weft doctor --state /srv/weft --json"],
    documentation: "docs/how-to/check-a-machine.md",
    load: async () => (await import("./commands/doctor-command.ts")).doctorCommand,
  },
  {
    name: "version",
    summary: "print the version",
    description: "Prints the version of Weft.",
    examples: ["weft version", "weft --version"],
    documentation: "docs/reference/command-line.md",
    load: async () => async () => {
      process.stdout.write(`weft ${VERSION}\n`);
      return 0;
    },
  },
];

const NOTES = `
Every option is also an environment variable (WEFT_PORT for --port) and a key in weft.config.json.
An option on the command line takes precedence.
Documentation: docs/reference/command-line.md
`;

/**
 * All commands, ready to parse a command line; `done` receives the exit code. Requests for help and errors reject with
 * a CommanderError after the help has been written.
 */
export function weftCommand(done: (code: number) => void): Command {
  const weft = new Command("weft")
    .description("Runs CWL tools and workflows.")
    .version(`weft ${VERSION}`, "--version", "print the version")
    .helpOption("-h, --help", "print this help")
    .helpCommand("help [command]", "print the help of a command")
    .configureHelp({ showGlobalOptions: true, visibleGlobalOptions, helpWidth: HELP_COLUMNS })
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({ outputError: () => {} }) // runCli writes the message of an error
    .addHelpText("after", NOTES);
  for (const declaration of COMMANDS) add(weft, declaration, done);
  return weft;
}

function add(parent: Command, declaration: Declaration, done: (code: number) => void): void {
  const { name, summary, description, flags = [], furtherFlags = [], load, commands = [] } = declaration;
  const command = parent.command(name).summary(summary).description(description).enablePositionalOptions(false);
  for (const [argument, meaning] of Object.entries(declaration.arguments ?? {})) command.argument(argument, meaning);
  for (const flag of flags) command.addOption(flag);
  for (const flag of furtherFlags) command.addOption(flag.hideHelp());
  if (declaration.readsWords === true) command.passThroughOptions().allowExcessArguments();
  command.addHelpText("after", afterOptions(declaration));
  for (const child of commands) add(command, child, done);
  if (load !== undefined) command.action(async () => done(await (await load())(readSettings(command))));
}

function afterOptions({ furtherFlags = [], examples, documentation }: Declaration): string {
  const further =
    furtherFlags.length === 0 ? "" : `\n${wrap(`Also: ${furtherFlags.map(({ long }) => long).join(" ")}`)}\n`;
  const pages = [
    ...new Set([documentation, ...(furtherFlags.length === 0 ? [] : ["docs/reference/command-line.md"])]),
  ].join(", ");
  return `${further}\nExamples:\n${examples.map((example) => `  ${example}\n`).join("")}\nDocumentation: ${pages}`;
}

function wrap(words: string): string {
  return words.replace(new RegExp(`(.{1,${HELP_COLUMNS - 6}})(?: |$)`, "g"), "$1\n      ").trimEnd();
}

/** Flags of a group of commands, such as `--state` of `token`, belong to the help of its members. */
function visibleGlobalOptions(command: Command): Flag[] {
  return (command.parent?.options ?? []).filter((option) => option instanceof Flag);
}
