import { SandboxUnusable } from "@weft/engine/sandbox/sandbox-unusable.ts";
import { CommanderError } from "commander";
import { weftCommand } from "./commands.ts";
import { EXIT } from "./exit/exit-codes.ts";
import { UsageError } from "./exit/usage-error.ts";

/** Carries out one command line and returns the exit code. */
export async function runCli(args: readonly string[]): Promise<number> {
  let code: number = EXIT.success;
  const weft = weftCommand((ended) => {
    code = ended;
  });
  try {
    await weft.parseAsync(args, { from: "user" });
    return code;
  } catch (error) {
    return report(error);
  }
}

function report(error: unknown): number {
  if (error instanceof SandboxUnusable) {
    process.stderr.write(`weft: ${error.message}\n`);
    return EXIT.configuration;
  }
  // Help that was asked for ends with 0; help for a command line without a command does not.
  if (error instanceof CommanderError && error.code === "commander.help")
    return error.exitCode === 0 ? EXIT.success : EXIT.usage;
  if (error instanceof CommanderError && error.exitCode === 0) return EXIT.success;
  if (!(error instanceof UsageError) && !(error instanceof CommanderError)) throw error;
  process.stderr.write(`weft: ${error.message.replace(/^error: /, "")}\nTry "weft --help".\n`);
  return EXIT.usage;
}
