import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { formatKnowledge } from "@weft/cwl/document/format-knowledge.ts";
import { loadDocument } from "@weft/cwl/document/load-document.ts";
import { memoryDocumentReader } from "@weft/cwl/document/memory-document-reader.ts";
import type { FileValue } from "@weft/cwl/model/cwl-value.ts";
import type { DocumentSettings } from "@weft/engine/document/document-services.ts";
import type { CommandIo } from "../io/command-io.ts";
import { runDocument } from "@weft/engine/document/run-document.ts";
import { removeScratch } from "@weft/engine/files/remove-scratch.ts";

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
export async function readHelp(words: readonly string[], settings: Omit<DocumentSettings, "scratch">): Promise<string> {
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
export async function softwareOf(
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
