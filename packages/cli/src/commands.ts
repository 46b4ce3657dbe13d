import { Command } from "commander";
import type { CommandIo } from "./io/command-io.ts";
import type { Declaration } from "./declarations/declaration.ts";
import { AUTOMATE } from "./declarations/automate-declaration.ts";
import { COHORT_COMMANDS } from "./declarations/cohort-declarations.ts";
import { DOCUMENT_COMMANDS } from "./declarations/document-declarations.ts";
import { NOTIFY } from "./declarations/notify-declaration.ts";
import { SERVE } from "./declarations/serve-declaration.ts";
import { STATE_COMMANDS } from "./declarations/state-declarations.ts";
import { TOKEN } from "./declarations/token-declaration.ts";
import { wrap } from "./output/result-text.ts";
import { Flag } from "./settings/flag.ts";
import { readSettings } from "./settings/read-settings.ts";
import { VERSION } from "./settings/version.ts";

const HELP_COLUMNS = 100;

const VERSION_COMMAND: Declaration = {
  name: "version",
  summary: "print the version",
  description: "Prints the version of Weft.",
  examples: ["weft version", "weft --version"],
  documentation: "docs/reference/command-line.md",
  load:
    async () =>
    async ({ io }) => {
      io.stdout.write(`weft ${VERSION}\n`);
      return 0;
    },
};

const COMMANDS: readonly Declaration[] = [
  SERVE,
  ...DOCUMENT_COMMANDS,
  ...COHORT_COMMANDS,
  TOKEN,
  NOTIFY,
  AUTOMATE,
  ...STATE_COMMANDS,
  VERSION_COMMAND,
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
export function weftCommand(io: CommandIo, done: (code: number) => void): Command {
  const weft = new Command("weft")
    .description("Runs CWL tools and workflows.")
    .version(`weft ${VERSION}`, "--version", "print the version")
    .helpOption("-h, --help", "print this help")
    .helpCommand("help [command]", "print the help of a command")
    .configureHelp({ showGlobalOptions: true, visibleGlobalOptions, helpWidth: HELP_COLUMNS })
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: (text) => io.stderr.write(text),
      outputError: () => {}, // runCli writes the message of an error
    })
    .addHelpText("after", NOTES);
  for (const declaration of COMMANDS) add(weft, declaration, { io, done });
  return weft;
}

interface Run {
  readonly io: CommandIo;
  readonly done: (code: number) => void;
}

function add(parent: Command, declaration: Declaration, run: Run): void {
  const { name, summary, description, flags = [], furtherFlags = [], load, commands = [] } = declaration;
  const command = parent.command(name).summary(summary).description(description).enablePositionalOptions(false);
  for (const [argument, meaning] of Object.entries(declaration.arguments ?? {})) command.argument(argument, meaning);
  for (const flag of flags) command.addOption(flag);
  for (const flag of furtherFlags) command.addOption(flag.hideHelp());
  if (declaration.readsWords === true) command.passThroughOptions().allowExcessArguments();
  command.addHelpText("after", afterOptions(declaration));
  for (const child of commands) add(command, { ...child, documentation: declaration.documentation }, run);
  if (load !== undefined) command.action(async () => run.done(await (await load())(readSettings(command, run.io))));
}

function afterOptions({ furtherFlags = [], examples, documentation }: Declaration): string {
  const names = furtherFlags.map(({ long }) => long).join(" ");
  const further = names === "" ? "" : `\n${wrap(`Also: ${names}`, HELP_COLUMNS - 6).join("\n      ")}\n`;
  const pages = new Set([documentation, ...(names === "" ? [] : ["docs/reference/command-line.md"])]);
  const lines = examples.map((example) => `  ${example}\n`).join("");
  return `${further}\nExamples:\n${lines}\nDocumentation: ${[...pages].join(", ")}`;
}

/** Flags of a group of commands, such as `--state` of `token`, belong to the help of its members. */
function visibleGlobalOptions(command: Command): Flag[] {
  return (command.parent?.options ?? []).filter((option) => option instanceof Flag);
}
