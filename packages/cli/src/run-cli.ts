import { SandboxUnusable } from "@weft/engine/sandbox/sandbox-unusable.ts";
import { CommanderError } from "commander";
import type { Command } from "commander";
import { writeLine } from "./io/command-io.ts";
import type { CommandIo } from "./io/command-io.ts";
import { weftCommand } from "./commands.ts";
import { EXIT } from "./exit/exit-codes.ts";
import { UsageError } from "./exit/usage-error.ts";
import { errorText, isSystemError } from "@weft/engine/error-text.ts";

/** Executes one command line and returns the exit code. `program`: the name of the called program, if it is not `weft`. */
export async function runCli(words: readonly string[], io: CommandIo, program?: string): Promise<number> {
  let code: number = EXIT.success;
  const weft = weftCommand(io, (exitCode) => {
    code = exitCode;
  });
  try {
    await weft.parseAsync(words, { from: "user" });
    return code;
  } catch (error) {
    return report(error, io, program === undefined ? helpFor(weft, words) : `${program} --help`);
  }
}

/** The command line that prints the help of the entered command. */
function helpFor(weft: Command, words: readonly string[]): string {
  const path: string[] = [];
  let command: Command | undefined = weft;
  for (const word of words) {
    command = command.commands.find((child) => child.name() === word);
    if (command === undefined) break;
    path.push(word);
  }
  return ["weft", ...path, "--help"].join(" ");
}

function report(error: unknown, io: CommandIo, help: string): number {
  if (error instanceof SandboxUnusable) {
    writeLine(io, `weft: ${error.message}`);
    return EXIT.configuration;
  }
  // Requested help exits with 0; help printed because the command is missing does not.
  if (error instanceof CommanderError && error.code === "commander.help")
    return error.exitCode === 0 ? EXIT.success : EXIT.usage;
  if (error instanceof CommanderError && error.exitCode === 0) return EXIT.success;
  // The disk or another program reported an error. Its message is enough; only a bug needs a stack.
  if (isSystemError(error)) {
    writeLine(io, `weft: ${errorText(error)}`);
    return EXIT.failure;
  }
  if (!(error instanceof UsageError) && !(error instanceof CommanderError)) throw error;
  writeLine(io, `weft: ${error.message.replace(/^error: /, "")}\nRun "${help}" for usage.`);
  return EXIT.usage;
}
