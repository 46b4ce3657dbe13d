import { ExpectedError, errorText, isSystemError } from "@weft/engine/error-text.ts";
import { StateFolderUnusable } from "@weft/engine/journal/state-folder-unusable.ts";
import { storageProblemOf } from "@weft/engine/journal/storage/storage-problem.ts";
import { SandboxUnusable } from "@weft/engine/sandbox/sandbox-unusable.ts";
import { Refusal } from "@weft/shared/records/refusal.ts";
import { CommanderError, type Command } from "commander";
import { writeLine, type CommandIo } from "./io/command-io.ts";
import { weftCommand } from "./commands.ts";
import { EXIT, UsageError } from "./exit/exit.ts";

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

/** Prints why a command failed, and returns the exit code. Throws a bug again, which needs a stack. */
function report(error: unknown, io: CommandIo, help: string): number {
  // Requested help exits with 0; help printed because the command is missing does not.
  if (error instanceof CommanderError && error.exitCode === 0) return EXIT.success;
  if (error instanceof CommanderError && error.code === "commander.help") return EXIT.usage;
  if (error instanceof UsageError || error instanceof CommanderError) {
    writeLine(io, `weft: ${error.message.replace(/^error: /, "")}\nRun "${help}" for usage.`);
    return EXIT.usage;
  }
  const isStorage = storageProblemOf(error, () => undefined) !== undefined;
  if (!(error instanceof ExpectedError) && !(error instanceof Refusal) && !isStorage && !isSystemError(error))
    throw error;
  writeLine(io, `weft: ${errorText(error)}`);
  const isUnusable = error instanceof StateFolderUnusable || error instanceof SandboxUnusable;
  return isUnusable ? EXIT.configuration : EXIT.failure;
}
