import { existsSync, statSync } from "node:fs";
import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import { createInterface } from "node:readline/promises";
import { EXIT } from "../exit/exit-codes.ts";
import { UsageError } from "../exit/usage-error.ts";
import { createLog } from "../output/log-line.ts";
import { writeLine } from "../output/tell-problems.ts";
import { executionSettings } from "../settings/execution-settings.ts";
import type { Settings } from "../settings/read-settings.ts";
import { VERSION } from "../settings/version.ts";
import { inferTool } from "@weft/cwl/wrap/infer-tool.ts";
import type { CommandWords, Doubt, InferredTool } from "@weft/cwl/wrap/infer-tool.ts";
import { parseHelp } from "@weft/cwl/wrap/parse-help.ts";
import { readHelp, softwareOf } from "../wrap/read-help.ts";
import { CommandProblem, splitCommand } from "@weft/cwl/wrap/split-command.ts";
import { writeExample, writeTest, writeTool } from "@weft/cwl/wrap/write-tool.ts";

/** Makes a tool from a command line: prints it, or writes it into a folder with an example and a test. */
export async function wrapCommand(settings: Settings): Promise<number> {
  const [command = ""] = settings.positionals;
  const words = readCommand(command);
  const helpText = await helpOf(words, settings);
  const tool = await inferTool(words, {
    options: parseHelp(helpText),
    helpText,
    kindOf: (path) => (existsSync(path) ? (statSync(path).isDirectory() ? "folder" : "file") : undefined),
    decide: settings.isOn("yes") || !process.stdin.isTTY ? assume : ask,
  });
  const software = await softwareOf(tool.baseCommand[0] ?? "");
  const text = writeTool(tool, { command, summary: summaryOf(helpText), software, image: settings.text("image") });
  const outdir = settings.text("outdir");
  if (outdir === undefined) process.stdout.write(text);
  else await writeAll(tool, { text, outdir });
  return EXIT.success;
}

function readCommand(command: string): CommandWords {
  try {
    return splitCommand(command);
  } catch (error) {
    throw error instanceof CommandProblem ? new UsageError(error.message) : error;
  }
}

async function helpOf({ words }: CommandWords, settings: Settings): Promise<string> {
  const file = settings.text("help-text");
  if (file !== undefined)
    return readFile(file, "utf8").catch(() => {
      throw new UsageError(`--help-text: ${file} cannot be read`);
    });
  const [program = "", first = ""] = words;
  const run = { version: VERSION, ...(await executionSettings(settings, "auto")), log: createLog(process.stderr) };
  const quiet = { ...run, log: () => {} };
  // The help of `samtools sort` says more about it than that of `samtools`.
  const own = /^[a-z][a-z0-9_-]*$/.test(first) && !existsSync(first) ? await readHelp([program, first], quiet) : "";
  const general = await readHelp([program], quiet);
  if (own === "" && general === "") writeLine(`weft: ${program} prints no help; types come from the words alone`);
  return `${own}\n${general}`;
}

/** The first line of a help text that is a sentence. */
function summaryOf(helpText: string): string | undefined {
  const lines = helpText.split("\n").map((line) => line.trim());
  return lines.find(
    (line) =>
      /^[A-Z][a-z]+ .{10,160}[.]$/.test(line) &&
      !/usage|option|error|invalid|copyright|licen[cs]e|warranty/i.test(line),
  );
}

async function assume({ question, choices, likely }: Doubt): Promise<0 | 1> {
  writeLine(`weft: ${question} Assumed: ${choices[likely]}`);
  return likely;
}

async function ask({ question, choices, likely }: Doubt): Promise<0 | 1> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await lines.question(`${question}\n  1: ${choices[0]}\n  2: ${choices[1]}\n[${likely + 1}] `);
  lines.close();
  return answer.trim() === "1" ? 0 : answer.trim() === "2" ? 1 : likely;
}

async function writeAll(
  tool: InferredTool,
  { text, outdir }: { readonly text: string; readonly outdir: string },
): Promise<void> {
  const name = tool.baseCommand.map((word) => word.split("/").at(-1)).join("-");
  const path = join(outdir, `${name}.cwl`);
  if (existsSync(path)) throw new UsageError(`${path} exists already`);
  const examples = join(outdir, "examples");
  await mkdir(examples, { recursive: true });
  await mkdir(join(outdir, "tests"), { recursive: true });
  await writeFile(path, text);
  await chmod(path, 0o755);
  await writeFile(
    join(examples, "example.yml"),
    writeExample(tool, (given) => relative(resolve(examples), resolve(given))),
  );
  await writeFile(join(outdir, "tests/example.yml"), writeTest(tool));
  process.stdout.write(`${path}\n`);
}
