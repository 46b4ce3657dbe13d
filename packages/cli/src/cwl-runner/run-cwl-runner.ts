import { CWL_VERSIONS } from "@weft/cwl/model/cwl-version.ts";
import { writeLine, type CommandIo } from "../io/command-io.ts";
import { weftCommand } from "../commands.ts";
import { EXIT, UsageError } from "../exit/exit.ts";
import { runCli } from "../run-cli.ts";
import { VERSION } from "../settings/version.ts";
import { runnerHelp } from "./runner-flags.ts";
import { translateWords } from "./translate-words.ts";

/** Executes a command line of the reference runner and returns its exit code. */
export async function runCwlRunner(args: readonly string[], io: CommandIo): Promise<number> {
  const refuse = (message: string, code: number) => {
    writeLine(io, `cwl-runner: ${message}\nRun "cwl-runner --help" for usage.`);
    return code;
  };
  const run = weftCommand(io, () => {}).commands.find((command) => command.name() === "run");
  try {
    const { words, notices } = translateWords(args, run?.options ?? []);
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
    }
    // Like the reference runner, returns the exit code of a failure, not of a usage error.
    return words.length === 1
      ? refuse("no CWL document was given", EXIT.failure)
      : await runCli(words, io, "cwl-runner");
  } catch (error) {
    if (error instanceof UsageError) return refuse(error.message, EXIT.usage);
    throw error;
  }
}
