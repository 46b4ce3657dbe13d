import { createReadStream } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { request } from "node:http";
import type { IncomingMessage } from "node:http";
import { join, relative } from "node:path";
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
import { toldAddress } from "../server/server-address.ts";

/** Lets the server that has a state folder import a crate: a zip, or a folder as one. Answers the run's id there. Rejects with ServerRefused. */
export async function importByServer(stateFolder: string, crate: string): Promise<string> {
  const address = await toldAddress(stateFolder);
  if (address === undefined)
    throw new ServerRefused("a server has this state folder and does not listen yet; try again in a moment");
  const isFolder = (await stat(crate)).isDirectory();
  const content = isFolder ? zipArchive(await entriesOf(crate), new Date()) : createReadStream(crate);
  const answer = await send(`${address}/api/provenance/crates`, content, await credentials(stateFolder)).catch(
    (error: unknown) => {
      throw new ServerRefused(`the server at ${address} did not take the crate: ${String(error)}`, { cause: error });
    },
  );
  // The API's own tests prove both shapes.
  if (answer.statusCode === 201) return ((await json(answer)) as Run).run_id;
  throw new ServerRefused(((await json(answer)) as Problem).detail ?? `it answered ${answer.statusCode}`);
}

async function entriesOf(folder: string): Promise<readonly ArchiveEntry[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
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
    // Who refuses early answers before all was sent.
    pipeline(content, sending).catch(reject);
  });
}
