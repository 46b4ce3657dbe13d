import { existsSync, statSync } from "node:fs";
import { chmod, mkdir, readFile, writeFile, mkdtemp } from "node:fs/promises";
import { join, relative } from "node:path";
import { createInterface } from "node:readline/promises";
import { writeLine, type CommandIo } from "../io/command-io.ts";
import { EXIT, UsageError } from "../exit/exit.ts";
import { executionSettings } from "../settings/execution-settings.ts";
import type { Settings } from "../settings/read-settings.ts";
import { inferTool, type CommandWords, type Assumption, type InferredTool } from "@weft/language/wrap/infer-tool.ts";
import { parseHelp } from "@weft/language/wrap/parse-help.ts";
import { CommandProblem, splitCommand } from "@weft/language/wrap/split-command.ts";
import { writeExample, writeTest, writeTool } from "@weft/language/wrap/write-tool.ts";
import { execFile } from "node:child_process";
import { tmpdir } from "node:os";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { formatKnowledge } from "@weft/cwl/document/format-knowledge.ts";
import { loadDocument } from "@weft/cwl/document/load-document.ts";
import { memoryDocumentReader } from "@weft/cwl/document/memory-document-reader.ts";
import type { FileValue } from "@weft/cwl/model/cwl-value.ts";
import type { DocumentSettings } from "@weft/engine/document/document-services.ts";
import { runDocument } from "@weft/engine/document/run-document.ts";
import { removeScratch } from "@weft/engine/files/remove-scratch.ts";

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
  const found = statSync(path, { throwIfNoEntry: false });
  return found && (found.isDirectory() ? "folder" : "file");
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
  const quiet = { ...(await executionSettings(settings, "auto")), log: () => {} };
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
  if (existsSync(path)) throw new UsageError(`${target} already exists`);
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

const URI = "file:///help.cwl";

/** Accepts any exit code, and gets no standard input. */
const TOOL = {
  cwlVersion: "v1.2",
  class: "CommandLineTool",
  requirements: { ToolTimeLimit: { timelimit: 10 } },
  inputs: {},
  stdout: "out.txt",
  stderr: "err.txt",
  outputs: { out: "stdout", err: "stderr" },
  successCodes: Array.from({ length: 256 }, (_, code) => code),
};

/** Reads the help of a program, which runs as a job in the sandbox with `--help`, `-h` or no flag. Empty if it has none. */
async function readHelp(words: readonly string[], settings: Omit<DocumentSettings, "scratch">): Promise<string> {
  for (const flags of [["--help"], ["-h"], []]) {
    const text = await runOnce([...words, ...flags], settings);
    if (text.split("\n").length > 3 && !/(?:invalid|unrecogni[sz]ed|unknown|illegal) option[^\n]*\n?$/i.test(text))
      return text;
  }
  return "";
}

async function runOnce(words: readonly string[], settings: Omit<DocumentSettings, "scratch">): Promise<string> {
  const text = JSON.stringify({ ...TOOL, baseCommand: words });
  const loaded = await loadDocument(URI, { reader: memoryDocumentReader({ [URI]: text }) });
  if (loaded.process === undefined) return "";
  const folder = await mkdtemp(join(tmpdir(), "weft-help-"));
  try {
    await mkdir(join(folder, "scratch"));
    const result = await runDocument({
      ...settings,
      process: loaded.process,
      formats: formatKnowledge(loaded),
      inputs: {},
      overrides: [],
      outdir: join(folder, "outputs"),
      scratch: join(folder, "scratch"),
      onEvents: () => {},
      signal: new AbortController().signal,
    });
    if (result.kind !== "ended" || result.outputs === undefined) return "";
    const files = [result.outputs["out"], result.outputs["err"]] as readonly (FileValue | undefined)[]; // TOOL declares these outputs
    const texts = await Promise.all(files.map(async (file) => readFile(fileURLToPath(file?.location ?? ""), "utf8")));
    return texts.join("\n");
  } finally {
    await removeScratch(folder, (message) => settings.log("warn", message));
  }
}

/** The Debian package that contains a program; undefined if there is none. */
async function softwareOf(
  program: string,
  { cwd, env }: Pick<CommandIo, "cwd" | "env">,
): Promise<{ readonly name: string; readonly version: string } | undefined> {
  const execute = promisify(execFile);
  const run = (file: string, args: readonly string[]) => execute(file, args, { cwd, env });
  try {
    const { stdout: path } = await run("sh", ["-c", 'realpath "$(command -v "$1")"', "sh", program]);
    const { stdout: owner } = await run("dpkg", ["-S", path.trim()]).catch(() =>
      run("dpkg", ["-S", path.trim().replace(/^\/usr/, "")]),
    );
    const name = owner.split(":")[0] ?? "";
    const { stdout: version } = await run("dpkg-query", ["-W", "-f", "${Version}", name]);
    return name === "" ? undefined : { name, version: version.trim() };
  } catch {
    return undefined;
  }
}
