import { SandboxUnusable } from "@weft/engine/sandbox/sandbox-unusable.ts";
import { CommanderError } from "commander";
import type { Command } from "commander";
import { weftCommand } from "./commands.ts";
import { EXIT } from "./exit/exit-codes.ts";
import { UsageError } from "./exit/usage-error.ts";

/** Executes one command line and returns the exit code. `program`: the one that was called, if it is not `weft`. */
export async function runCli(args: readonly string[], program?: string): Promise<number> {
  let code: number = EXIT.success;
  const weft = weftCommand((exitCode) => {
    code = exitCode;
  });
  try {
    await weft.parseAsync(args, { from: "user" });
    return code;
  } catch (error) {
    return report(error, program === undefined ? helpFor(weft, args) : `${program} --help`);
  }
}

/** The command line that prints the help of the command that was given. */
function helpFor(weft: Command, args: readonly string[]): string {
  const path: string[] = [];
  let command: Command | undefined = weft;
  for (const arg of args) {
    command = command.commands.find((child) => child.name() === arg);
    if (command === undefined) break;
    path.push(arg);
  }
  return ["weft", ...path, "--help"].join(" ");
}

function report(error: unknown, help: string): number {
  if (error instanceof SandboxUnusable) {
    process.stderr.write(`weft: ${error.message}\n`);
    return EXIT.configuration;
  }
  // Requested help exits with 0; help printed because the command is missing does not.
  if (error instanceof CommanderError && error.code === "commander.help")
    return error.exitCode === 0 ? EXIT.success : EXIT.usage;
  if (error instanceof CommanderError && error.exitCode === 0) return EXIT.success;
  if (!(error instanceof UsageError) && !(error instanceof CommanderError)) throw error;
  process.stderr.write(`weft: ${error.message.replace(/^error: /, "")}\nRun "${help}" for usage.\n`);
  return EXIT.usage;
}
