import { Command } from "commander";
import { Flag } from "./settings/flag.ts";
import { CATALOG, DATA, JOB_FLAGS, JSON_OUTPUT, OIDC_FLAGS, OUTDIR, QUIET, STATE } from "./settings/flags.ts";
import { readSettings } from "./settings/read-settings.ts";
import type { Settings } from "./settings/read-settings.ts";
import { VERSION } from "./commands/version.ts";

/** A command of `weft`. Parsing and help both come from this declaration. */
interface Declaration {
  readonly name: string;
  readonly summary: string;
  /** What `weft help NAME` says; the summary where this is missing. */
  readonly description?: string;
  /** `<name>` for a required argument, `[name]` for an optional one → what it is. */
  readonly arguments?: Readonly<Record<string, string>>;
  readonly flags?: readonly Flag[];
  /** Loads the code of the command and nothing else, so that no command waits for the code of another. */
  readonly load?: () => Promise<(settings: Settings) => Promise<number>>;
  readonly commands?: readonly Declaration[];
}

const SERVE_FLAGS = [
  new Flag("--host <HOST>", "address to listen on (default 127.0.0.1)"),
  new Flag("--port <PORT>", "port to listen on, 0 for a free one (default 8080)"),
  new Flag("--base-url <URL>", "address by which users reach the server"),
  CATALOG,
  STATE,
  new Flag("--shared <DIR>", "folder that the nodes of a cluster or the workers of a TES server see"),
  DATA,
  new Flag("--sink <NAME=DIR>", "folder to which runs may write, under a name", { isList: true }),
  ...JOB_FLAGS,
  new Flag("--no-control-groups", "do not put jobs into control groups"),
  new Flag("--auth <none|token|oidc>", "how users log in (default none)"),
  new Flag("--private-runs", "let users see their own runs only"),
  new Flag("--peer-user <USER>", "account whose programs may connect without a login", { isList: true }),
  new Flag("--let-everybody-in", "let everybody who can reach the address run commands as this account"),
  ...OIDC_FLAGS,
  new Flag("--behind-proxy", "trust a proxy on this machine"),
  new Flag("--trust-proxy <ADDRESS>", "address of a proxy to trust", { isList: true }),
  new Flag("--read-rate <N>", "reading requests per second and client"),
  new Flag("--write-rate <N>", "writing requests per second and client"),
  new Flag("--max-open-runs <N>", "most runs that have not ended"),
  new Flag("--max-upload-bytes <N>", "largest upload"),
];

const RUN_FLAGS = [
  OUTDIR,
  QUIET,
  new Flag("--state <DIR>", "folder for the files of jobs and for downloads (default: a temporary one)"),
  ...JOB_FLAGS,
  new Flag("--plan", "start nothing; write the steps and the command line, container and resources of every known job"),
  new Flag("--json", "with --plan: write the plan as JSON"),
  new Flag("--provenance <DIR>", "write a crate of the run (what it read, did and wrote), also if it fails"),
  new Flag("--sidecar", "write next to each output where it comes from (a.nii.prov.json, W3C PROV)"),
];

const VERIFY_FLAGS = [
  STATE,
  new Flag("--log-only", "check the log without the files"),
  DATA,
  CATALOG,
  new Flag("--head <NUMBER:HASH>", "the head that an earlier check printed"),
];

const REPRODUCE_FLAGS = [
  STATE,
  OUTDIR,
  new Flag("--relative <N>", "relative tolerance of numbers"),
  new Flag("--absolute <N>", "absolute tolerance of numbers"),
  JSON_OUTPUT,
  QUIET,
  ...JOB_FLAGS,
];

const PRUNE_FLAGS = [
  STATE,
  new Flag("--run <ID>", "one run, instead of all that have ended"),
  new Flag("--older-than <AGE>", "only runs that ended so long ago, such as 30d"),
  new Flag("--intermediate", "files between steps"),
  new Flag("--logs", "logs of the jobs, with --run"),
  new Flag("--outputs", "outputs, with --run"),
  new Flag("--all", "intermediate files, logs and outputs"),
  new Flag("--uploads", "uploads that no run uses"),
  new Flag("--downloads", "downloads that no run uses"),
  new Flag("--dry-run", "remove nothing, even with --yes"),
  new Flag("--yes", "remove what is shown"),
  JSON_OUTPUT,
];

const TOKEN: Declaration = {
  name: "token",
  summary: "create, list and revoke tokens",
  description: "Creates, lists and revokes tokens. A running server applies the change at once.",
  flags: [STATE],
  commands: [
    {
      name: "create",
      summary: "create a token and print it once",
      flags: [
        new Flag("--name <NAME>", "name of the token"),
        new Flag("--role <viewer|runner|admin>", "what its owner may do"),
        new Flag("--expires <90d|12h|never>", "when it ends (default 90d)"),
      ],
      load: async () => (await import("./commands/token-command.ts")).createToken,
    },
    {
      name: "list",
      summary: "list the tokens",
      load: async () => (await import("./commands/token-command.ts")).listTokens,
    },
    {
      name: "revoke",
      summary: "revoke a token",
      arguments: { "<name>": "name of the token" },
      load: async () => (await import("./commands/token-command.ts")).revokeToken,
    },
  ],
};

const COMMANDS: readonly Declaration[] = [
  {
    name: "serve",
    summary: "serve the web application and the API",
    description: "Serves the web application and the API. The last word on standard output is the address.",
    flags: SERVE_FLAGS,
    load: async () => (await import("./commands/serve-command.ts")).serveCommand,
  },
  {
    name: "run",
    summary: "run one CWL document",
    description: "Runs one CWL document and writes its output object to standard output as JSON.",
    arguments: { "<document[#id]>": "file or address of the document", "[inputs]": "file with the input object" },
    flags: RUN_FLAGS,
    load: async () => (await import("./commands/run-command.ts")).runCommand,
  },
  {
    name: "validate",
    summary: "check documents",
    description: "Checks documents and writes what is wrong as file:line:column: message.",
    arguments: { "<documents...>": "files or addresses" },
    load: async () => (await import("./commands/validate-command.ts")).validateCommand,
  },
  TOKEN,
  {
    name: "audit",
    summary: "check the audit log",
    description: "Checks that no entry of the audit log was changed or removed, and prints its last hash.",
    flags: [STATE],
    load: async () => (await import("./commands/audit-command.ts")).auditCommand,
  },
  {
    name: "backup",
    summary: "copy a state folder",
    description: "Copies the log of a state folder, also while its server works.",
    arguments: { "<target>": "the folder to create" },
    flags: [STATE, new Flag("--with-files", "copy uploads and what runs have written as well")],
    load: async () => (await import("./commands/backup-command.ts")).backupCommand,
  },
  {
    name: "restore",
    summary: "create a state folder from a backup",
    description: "Checks a backup and creates a new state folder from it.",
    arguments: { "<backup>": "a folder that weft backup wrote" },
    flags: [new Flag("--state <DIR>", "the state folder to create")],
    load: async () => (await import("./commands/restore-command.ts")).restoreCommand,
  },
  {
    name: "verify",
    summary: "find what was changed since it was recorded",
    description:
      "Reads a state folder or an unpacked crate again and lists every event, document and file that was changed since it " +
      "was recorded. Keep the last line elsewhere: with --head it proves later that nothing was changed or removed.",
    arguments: { "[state|crate]": "a folder (default: the state folder)" },
    flags: VERIFY_FLAGS,
    load: async () => (await import("./commands/verify-command.ts")).verifyCommand,
  },
  {
    name: "import",
    summary: "import a run from its crate",
    description:
      "Imports a run that another server made, also while the server works, and prints its new id. It can then be searched, " +
      "compared and reproduced. A crate that was changed is refused.",
    arguments: { "<crate>": "a folder or a zip" },
    flags: [STATE],
    load: async () => (await import("./commands/import-command.ts")).importCommand,
  },
  {
    name: "reproduce",
    summary: "repeat a run and compare the results",
    description:
      "Repeats, on this machine, a run of the server that uses the state folder, or the run in a crate. Says of each output " +
      "whether it is identical, within the tolerance of its numbers, or different. Exits with 0 if none is different, 1 if " +
      "one is or the new run failed, 3 if nothing could be run (a crate that was changed, an unknown run).",
    arguments: { "<run|crate>": "the id of a run, or a crate: a folder or a zip" },
    flags: REPRODUCE_FLAGS,
    load: async () => (await import("./commands/reproduce-command.ts")).reproduceCommand,
  },
  {
    name: "prune",
    summary: "remove what ended runs left on disk",
    description:
      "Shows what ended runs left on disk and what of it can be removed; removes it with --yes. The server may be working.",
    flags: PRUNE_FLAGS,
    load: async () => (await import("./commands/prune-command.ts")).pruneCommand,
  },
  {
    name: "version",
    summary: "print the version",
    load: async () => async () => {
      process.stdout.write(`weft ${VERSION}\n`);
      return 0;
    },
  },
];

const NOTES = `
Every flag has an environment variable (WEFT_PORT for --port) and a key in weft.config.json; the flag wins. The keys "slurm"
and "tes" of weft.config.json configure these backends (docs/backends).
`;

/**
 * All commands, ready to parse a command line; `done` receives the exit code. Help and errors reject with a CommanderError
 * after the help was written.
 */
export function weftCommand(done: (code: number) => void): Command {
  const weft = new Command("weft")
    .description("runs CWL workflows")
    .version(`weft ${VERSION}`, "--version", "print the version")
    .helpOption("-h, --help", "print this help")
    .helpCommand("help [command]", "print the help of a command")
    .configureHelp({ showGlobalOptions: true, visibleGlobalOptions })
    .exitOverride()
    .configureOutput({ outputError: () => {} }) // runCli writes the message of an error
    .addHelpText("after", NOTES);
  for (const declaration of COMMANDS) add(weft, declaration, done);
  return weft;
}

function add(parent: Command, declaration: Declaration, done: (code: number) => void): void {
  const { name, summary, description = summary, flags = [], load, commands = [] } = declaration;
  const command = parent.command(name).summary(summary).description(description);
  for (const [argument, what] of Object.entries(declaration.arguments ?? {})) command.argument(argument, what);
  for (const flag of flags) command.addOption(flag);
  for (const child of commands) add(command, child, done);
  if (load !== undefined) command.action(async () => done(await (await load())(readSettings(command))));
}

/** Flags of a group of commands, such as `--state` of `token`, belong to the help of its members. */
function visibleGlobalOptions(command: Command): Flag[] {
  return (command.parent?.options ?? []).filter((option) => option instanceof Flag);
}
