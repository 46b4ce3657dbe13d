import { SandboxUnusable } from "@weft/engine/sandbox/sandbox-unusable.ts";
import { EXIT } from "./exit-codes.ts";
import { VERSION } from "./version.ts";
import { UsageError } from "./usage-error.ts";
import { USAGE, usageOf } from "./usage.ts";

/** Carries out one command line and answers the exit code. */
export async function runCli(args: readonly string[]): Promise<number> {
  const [command, ...rest] = args;
  const usage = usageOf(command === "help" ? rest[0] : asksForHelp(rest) ? command : undefined);
  if (usage !== undefined) {
    process.stdout.write(usage);
    return EXIT.success;
  }
  try {
    switch (command) {
      case "serve":
        return await (await import("./serve-command.ts")).serveCommand(rest);
      case "run":
        return await (await import("./run-command.ts")).runCommand(rest);
      case "validate":
        return await (await import("./validate-command.ts")).validateCommand(rest);
      case "token":
        return await (await import("./token-command.ts")).tokenCommand(rest);
      case "audit":
        return await (await import("./audit-command.ts")).auditCommand(rest);
      case "backup":
        return await (await import("./backup-command.ts")).backupCommand(rest);
      case "restore":
        return await (await import("./restore-command.ts")).restoreCommand(rest);
      case "verify":
        return await (await import("./verify-command.ts")).verifyCommand(rest);
      case "import":
        return await (await import("./import-command.ts")).importCommand(rest);
      case "reproduce":
        return await (await import("./reproduce-command.ts")).reproduceCommand(rest);
      case "prune":
        return await (await import("./prune-command.ts")).pruneCommand(rest);
      case "--version":
      case "version":
        process.stdout.write(`weft ${VERSION}\n`);
        return EXIT.success;
      case "--help":
      case "-h":
      case "help":
        process.stdout.write(USAGE);
        return EXIT.success;
      default:
        process.stderr.write(command === undefined ? USAGE : `weft: there is no command "${command}"\n\n${USAGE}`);
        return EXIT.usage;
    }
  } catch (error) {
    if (error instanceof SandboxUnusable) {
      process.stderr.write(`weft: ${error.message}\n`);
      return EXIT.configuration;
    }
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(`weft: ${error.message}\nTry "weft --help".\n`);
    return EXIT.usage;
  }
}

/** What comes after `--` is meant for nobody here. */
function asksForHelp(args: readonly string[]): boolean {
  const own = args.includes("--") ? args.slice(0, args.indexOf("--")) : args;
  return own.includes("--help") || own.includes("-h");
}
