import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fetchTrsTool, parseTrsAddress, type TrsAddress } from "@weft/engine/catalog/fetch-trs-tool.ts";
import { FetchProblem } from "@weft/engine/files/remote/fetch-problem.ts";
import type { HttpSettings } from "@weft/engine/files/remote/http-settings.ts";
import type { CommandIo } from "../io/command-io.ts";
import { UsageError } from "../exit/exit.ts";

/** A tool of another registry, in a temporary folder that is removed when the command ends. */
export interface FetchedTool {
  readonly address: TrsAddress;
  readonly folder: string;
  /** Path of the document. */
  readonly document: string;
  readonly digest: string;
}

/** Fetches the tool at a `trs://` address; undefined for any other address. */
export async function fetchTrsDocument(
  reference: string,
  settings: HttpSettings,
  { atEnd }: Pick<CommandIo, "atEnd">,
): Promise<FetchedTool | undefined> {
  if (!reference.startsWith("trs:")) return undefined;
  const address = parseTrsAddress(reference);
  if (address === undefined) throw new UsageError(`${reference}: write trs://HOST/ID/VERSION`);
  const { files, primary, digest } = await fetchTrsTool(address, settings).catch((error: unknown) => {
    throw error instanceof FetchProblem ? new UsageError(`${address.text}: ${error.message}`) : error;
  });
  const folder = await mkdtemp(join(tmpdir(), "weft-trs-"));
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  await writeFiles(folder, files);
  return { address, folder, document: join(folder, primary), digest };
}

/** Writes `files` into a folder, by relative paths that must not leave it. */
export async function writeFiles(folder: string, files: ReadonlyMap<string, Buffer>): Promise<void> {
  for (const [path, bytes] of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), bytes, { flag: "wx" });
  }
}
