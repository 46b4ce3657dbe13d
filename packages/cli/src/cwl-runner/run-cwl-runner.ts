import { CWL_VERSIONS } from "@weft/cwl/model/cwl-version.ts";
import { weftCommand } from "../commands.ts";
import { EXIT } from "../exit/exit-codes.ts";
import { UsageError } from "../exit/usage-error.ts";
import { writeLine } from "../output/tell-problems.ts";
import { runCli } from "../run-cli.ts";
import { VERSION } from "../settings/version.ts";
import { runnerHelp } from "./runner-help.ts";
import { translateWords } from "./translate-words.ts";
import type { Translation } from "./translate-words.ts";

/** Executes a command line of the reference runner and returns its exit code. */
export async function runCwlRunner(args: readonly string[]): Promise<number> {
  const translated = translate(args);
  if (translated === undefined) return EXIT.usage;
  const { words, notices } = translated;
  if (!words.includes("--quiet")) for (const notice of notices) writeLine(`cwl-runner: ${notice}`);
  switch (words[0]) {
    case "--help":
      process.stdout.write(runnerHelp());
      return EXIT.success;
    case "version":
      process.stdout.write(`cwl-runner (Weft ${VERSION})\n`);
      return EXIT.success;
    case "versions":
      process.stdout.write(CWL_VERSIONS.map((version) => `${version}\n`).join(""));
      return EXIT.success;
    default:
      return words.length === 1 ? withoutDocument() : runCli(words, "cwl-runner");
  }
}

function translate(args: readonly string[]): Translation | undefined {
  try {
    const run = weftCommand(() => {}).commands.find((command) => command.name() === "run");
    return translateWords(args, run?.options ?? []);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    writeLine(`cwl-runner: ${error.message}`);
    writeLine('Run "cwl-runner --help" for usage.');
    return undefined;
  }
}

/** As the reference runner: a failure, not a wrong use. */
function withoutDocument(): number {
  writeLine("cwl-runner: no CWL document was given");
  writeLine('Run "cwl-runner --help" for usage.');
  return EXIT.failure;
}
