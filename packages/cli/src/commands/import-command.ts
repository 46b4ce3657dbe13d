import { listBelow } from "@weft/engine/files/list-below.ts";
import { createReadStream, statSync } from "node:fs";
import { join, relative } from "node:path";
import { openLog } from "@weft/engine/app/open-log.ts";
import { importIntoFolder } from "@weft/engine/provenance/import/import-into-folder.ts";
import { StateFolderBusy } from "@weft/engine/journal/state-folder-unusable.ts";
import { importTool } from "./import-tool.ts";
import { EXIT } from "../exit/exit-codes.ts";
import type { Settings } from "../settings/read-settings.ts";
import { refusedByState } from "../server/refused-by-state.ts";
import { UsageError } from "../exit/usage-error.ts";
import { stat } from "node:fs/promises";
import { request } from "node:http";
import type { IncomingMessage } from "node:http";
import type { Readable } from "node:stream";
import { json } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { zipArchive } from "@weft/engine/archive/zip-archive.ts";
import type { ArchiveEntry } from "@weft/engine/archive/zip-archive.ts";
import { openTrustedFile } from "@weft/engine/files/beneath/open-file.ts";
import { runLater } from "@weft/engine/files/beneath/steps.ts";
import type { Problem } from "@weft/shared/records/problem.ts";
import type { Run } from "@weft/shared/records/run-record.ts";
import { credentials, ServerRefused } from "../server/ask-server.ts";
import { recordedAddress } from "../server/server-address.ts";
import { errorText } from "@weft/engine/error-text.ts";

/** Imports a tool from another registry or a run from a crate, through the server that uses the state folder, or directly. */
export async function importCommand(settings: Settings): Promise<number> {
  const [crate = ""] = settings.positionals;
  if (crate.startsWith("trs:")) return importTool(crate, settings);
  const found = statSync(settings.resolve(crate), { throwIfNoEntry: false });
  if (found === undefined) throw new UsageError(`crate not found: ${crate}`);
  try {
    settings.io.umask(0o077);
    const runId = await importInto(settings.stateFolder(), settings.resolve(crate), found.isDirectory());
    settings.io.stdout.write(`${runId}\n`);
    return EXIT.success;
  } catch (error) {
    return refusedByState(error, settings.io);
  }
}

async function importInto(stateFolder: string, crate: string, isFolder: boolean): Promise<string> {
  try {
    return await importIntoFolder({
      stateFolder,
      principal: "local",
      crate: isFolder ? { kind: "folder", path: crate } : { kind: "zip", content: createReadStream(crate) },
      // A user who can write to the folder can fill the disk anyway.
      maxBytes: Number.MAX_SAFE_INTEGER,
      openLog,
    });
  } catch (error) {
    if (!(error instanceof StateFolderBusy)) throw error;
    return importByServer(stateFolder, crate);
  }
}

/**
 * Lets the server that uses a state folder import a crate: a zip, or a folder sent as one. Returns the run's id there.
 * Rejects with ServerRefused.
 */
async function importByServer(stateFolder: string, crate: string): Promise<string> {
  const address = await recordedAddress(stateFolder);
  if (address === undefined)
    throw new ServerRefused("a server has this state folder and does not listen yet; try again in a moment");
  const isFolder = (await stat(crate)).isDirectory();
  const content = isFolder ? zipArchive(await entriesOf(crate), new Date()) : createReadStream(crate);
  const answer = await send(`${address}/api/provenance/crates`, content, await credentials(stateFolder)).catch(
    (error: unknown) => {
      throw new ServerRefused(`the server at ${address} did not take the crate: ${errorText(error)}`, { cause: error });
    },
  );
  // The API's own tests prove both shapes.
  if (answer.statusCode === 201) return ((await json(answer)) as Run).run_id;
  throw new ServerRefused(((await json(answer)) as Problem).detail ?? `it answered ${answer.statusCode}`);
}

async function entriesOf(folder: string): Promise<readonly ArchiveEntry[]> {
  const entries = await listBelow(folder);
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return { kind: "file", name: relative(folder, path), open: () => runLater(openTrustedFile(path)) };
    });
}

function send(
  address: string,
  content: Readable,
  authorization: Readonly<Record<string, string>>,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const headers = { "content-type": "application/zip", accept: "application/json", ...authorization };
    const sending = request(address, { method: "POST", headers }, resolve);
    // A server that refuses the crate early responds before everything is sent.
    pipeline(content, sending).catch(reject);
  });
}
