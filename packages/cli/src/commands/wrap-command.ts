import { existsSync, statSync } from "node:fs";
import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { createInterface } from "node:readline/promises";
import { writeLine } from "../io/command-io.ts";
import type { CommandIo } from "../io/command-io.ts";
import { EXIT } from "../exit/exit-codes.ts";
import { UsageError } from "../exit/usage-error.ts";
import { createLog } from "../output/log-line.ts";
import { executionSettings } from "../settings/execution-settings.ts";
import type { Settings } from "../settings/read-settings.ts";
import { VERSION } from "../settings/version.ts";
import { inferTool } from "@weft/cwl/wrap/infer-tool.ts";
import type { CommandWords, Assumption, InferredTool } from "@weft/cwl/wrap/infer-tool.ts";
import { parseHelp } from "@weft/cwl/wrap/parse-help.ts";
import { readHelp, softwareOf } from "../wrap/read-help.ts";
import { CommandProblem, splitCommand } from "@weft/cwl/wrap/split-command.ts";
import { writeExample, writeTest, writeTool } from "@weft/cwl/wrap/write-tool.ts";

/** Makes a tool from a command line: prints it, or writes it into a folder with an example and a test. */
export async function wrapCommand(settings: Settings): Promise<number> {
  const { io } = settings;
  const [command = ""] = settings.positionals;
  const words = readCommand(command);
  const helpText = await helpOf(words, settings);
  const tool = await inferTool(words, {
    options: parseHelp(helpText),
    helpText,
    kindOf: (path) => kindOf(settings.resolve(path)),
    decide: settings.isOn("yes") || io.stdin.isTTY !== true ? assume(io) : ask(io),
  });
  const software = await softwareOf(tool.baseCommand[0] ?? "", io);
  const text = writeTool(tool, { command, summary: summaryOf(helpText), software, image: settings.text("image") });
  const outdir = settings.text("outdir");
  if (outdir === undefined) io.stdout.write(text);
  else await writeAll(tool, { text, outdir }, settings);
  return EXIT.success;
}

function kindOf(path: string): "folder" | "file" | undefined {
  return statSync(path, { throwIfNoEntry: false }) === undefined
    ? undefined
    : statSync(path).isDirectory()
      ? "folder"
      : "file";
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
    return readFile(settings.resolve(file), "utf8").catch(() => {
      throw new UsageError(`--help-text: ${file} cannot be read`);
    });
  const [program = "", first = ""] = words;
  const run = { version: VERSION, ...(await executionSettings(settings, "auto")), log: createLog(settings.io.stderr) };
  const quiet = { ...run, log: () => {} };
  // The help of `samtools sort` says more about it than that of `samtools`.
  const own =
    /^[a-z][a-z0-9_-]*$/.test(first) && !existsSync(settings.resolve(first))
      ? await readHelp([program, first], quiet)
      : "";
  const general = await readHelp([program], quiet);
  if (own === "" && general === "")
    writeLine(settings.io, `weft: ${program} prints no help; types come from the words alone`);
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

type Decide = (assumption: Assumption) => Promise<0 | 1>;

function assume(io: CommandIo): Decide {
  return async ({ question, choices, likely }) => {
    writeLine(io, `weft: ${question} Assumed: ${choices[likely]}`);
    return likely;
  };
}

function ask({ stdin, stderr }: CommandIo): Decide {
  return async ({ question, choices, likely }) => {
    const lines = createInterface({ input: stdin, output: stderr });
    const answer = await lines.question(`${question}\n  1: ${choices[0]}\n  2: ${choices[1]}\n[${likely + 1}] `);
    lines.close();
    return answer.trim() === "1" ? 0 : answer.trim() === "2" ? 1 : likely;
  };
}

async function writeAll(
  tool: InferredTool,
  { text, outdir }: { readonly text: string; readonly outdir: string },
  { io, resolve }: Settings,
): Promise<void> {
  const name = tool.baseCommand.map((word) => word.split("/").at(-1)).join("-");
  const target = join(outdir, `${name}.cwl`);
  const path = resolve(target);
  if (existsSync(path)) throw new UsageError(`${target} exists already`);
  const [examples, tests] = [join(resolve(outdir), "examples"), join(resolve(outdir), "tests")];
  for (const folder of [examples, tests]) await mkdir(folder, { recursive: true });
  await writeFile(path, text);
  await chmod(path, 0o755);
  await writeFile(
    join(examples, "example.yml"),
    writeExample(tool, (given) => relative(examples, resolve(given))),
  );
  await writeFile(join(tests, "example.yml"), writeTest(tool));
  io.stdout.write(`${target}\n`);
}
