import { CWL_VERSIONS } from "@weft/cwl/model/cwl-version.ts";
import { writeLine } from "../io/command-io.ts";
import type { CommandIo } from "../io/command-io.ts";
import { weftCommand } from "../commands.ts";
import { EXIT, UsageError } from "../exit/exit.ts";
import { runCli } from "../run-cli.ts";
import { VERSION } from "../settings/version.ts";
import { runnerHelp } from "./runner-help.ts";
import { translateWords } from "./translate-words.ts";
import type { Translation } from "./translate-words.ts";

/** Executes a command line of the reference runner and returns its exit code. */
export async function runCwlRunner(args: readonly string[], io: CommandIo): Promise<number> {
  const translated = translate(args, io);
  if (translated === undefined) return EXIT.usage;
  const { words, notices } = translated;
  if (!words.includes("--quiet")) for (const notice of notices) writeLine(io, `cwl-runner: ${notice}`);
  switch (words[0]) {
    case "--help":
      io.stdout.write(runnerHelp());
      return EXIT.success;
    case "version":
      io.stdout.write(`cwl-runner (Weft ${VERSION})\n`);
      return EXIT.success;
    case "versions":
      io.stdout.write(CWL_VERSIONS.map((version) => `${version}\n`).join(""));
      return EXIT.success;
    default:
      return words.length === 1 ? withoutDocument(io) : runCli(words, io, "cwl-runner");
  }
}

function translate(args: readonly string[], io: CommandIo): Translation | undefined {
  try {
    const run = weftCommand(io, () => {}).commands.find((command) => command.name() === "run");
    return translateWords(args, run?.options ?? []);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    writeLine(io, `cwl-runner: ${error.message}`);
    writeLine(io, 'Run "cwl-runner --help" for usage.');
    return undefined;
  }
}

/** Like the reference runner, returns the exit code of a failure, not of a usage error. */
function withoutDocument(io: CommandIo): number {
  writeLine(io, "cwl-runner: no CWL document was given");
  writeLine(io, 'Run "cwl-runner --help" for usage.');
  return EXIT.failure;
}
