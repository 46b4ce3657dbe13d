import { readFile, writeFile } from "node:fs/promises";
import { relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { pathToUri } from "@weft/cwl/values/file-uri.ts";
import type { DocumentReader } from "@weft/cwl/document/document-reader.ts";
import { loadDocument } from "@weft/cwl/document/load-document.ts";
import { NO_MAIN } from "@weft/cwl/document/process/read-document.ts";
import { upgradeDocument } from "@weft/language/upgrade-document.ts";
import { diskReader } from "@weft/engine/files/disk-reader.ts";
import { writeLine, type CommandIo } from "../io/command-io.ts";
import { EXIT, UsageError } from "../exit/exit.ts";
import type { Settings } from "../settings/read-settings.ts";
import { writeDiagnostics } from "./load-cwl.ts";

/** Prints a document as CWL v1.2, or rewrites documents. */
export async function upgradeCommand(settings: Settings): Promise<number> {
  const { io, positionals } = settings;
  const writes = settings.isOn("write");
  if (positionals.length > 1 && !writes) throw new UsageError("several documents require --write");
  let exit: number = EXIT.success;
  for (const path of positionals) if (!(await upgradeOne(path, writes, io))) exit = EXIT.failure;
  return exit;
}

async function upgradeOne(path: string, writes: boolean, io: CommandIo): Promise<boolean> {
  const place = resolve(io.cwd, path);
  const uri = pathToUri(place);
  const text = await readFile(place, "utf8").catch(() => {
    throw new UsageError(`${path} cannot be read`);
  });
  const upgrade = upgradeDocument(uri, text);
  if (upgrade.kind === "refused") {
    for (const problem of upgrade.problems) writeLine(io, `${path}: ${problem}`);
    writeLine(io, `  hint: ${upgrade.hint}`);
    return false;
  }
  const changed = upgrade.kind === "upgraded" ? upgrade.text : text;
  for (const change of upgrade.kind === "upgraded" ? upgrade.changes : ["already v1.2"])
    writeLine(io, `${path}: ${change}`);
  const drafts = await check(uri, { before: text, after: changed, io });
  if (drafts === undefined) return false;
  for (const draft of drafts)
    writeLine(io, `${path}: needs ${relative(io.cwd, fileURLToPath(draft))}, which is draft-3, too`);
  if (!writes) io.stdout.write(changed);
  else if (changed !== text) await writeFile(place, changed);
  return true;
}

/**
 * Returns the draft-3 documents that this one needs; undefined after printing errors: v1.2 refuses a few constructs that
 * earlier versions ignored, and the user has to fix those.
 */
async function check(
  uri: string,
  { before, after, io }: { readonly before: string; readonly after: string; readonly io: CommandIo },
): Promise<ReadonlySet<string> | undefined> {
  const drafts = new Set<string>();
  const load = (text: string, read: DocumentReader["read"]) => {
    const reader: DocumentReader = { read: async (requested) => (requested === uri ? text : read(requested)) };
    return loadDocument(uri, { reader });
  };
  const old = await load(before, (requested) => diskReader.read(requested));
  const now = await load(after, (requested) => readUpgraded(requested, drafts));
  const known = new Set(old.diagnostics.map(({ message }) => message));
  const added = now.diagnostics.filter(
    ({ severity, code, message }) => severity === "error" && code !== NO_MAIN && !known.has(message),
  );
  writeDiagnostics(added, now.sources, { io, isQuiet: true });
  return added.length === 0 ? drafts : undefined;
}

/** Reads a draft-3 document as if it were already upgraded: a workflow and its tools can only be upgraded one at a time. */
async function readUpgraded(uri: string, drafts: Set<string>): Promise<string | undefined> {
  const text = await diskReader.read(uri);
  if (text?.includes("draft-3") !== true) return text;
  const upgrade = upgradeDocument(uri, text);
  if (upgrade.kind !== "upgraded" || !upgrade.from.includes("draft-3")) return text;
  drafts.add(uri);
  return upgrade.text;
}
