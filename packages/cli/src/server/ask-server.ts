import { readFile } from "node:fs/promises";
import { accessTokenPath } from "@weft/api/auth/tokens/access-token.ts";
import { ApiError, createClient } from "@weft/shared/routes/client.ts";
import type { Client } from "@weft/shared/routes/client.ts";
import type { Prune, PruneReport } from "@weft/shared/records/storage-record.ts";
import { recordedAddress } from "./server-address.ts";
import { request } from "node:http";
import { Readable } from "node:stream";
import { errorText } from "@weft/engine/error-text.ts";

/** The server that uses the folder refused the request; the message is for people. */
export class ServerRefused extends Error {}

/** The client of a server, and the headers that identify the caller. */
export interface Connection {
  /** Base address of the server. */
  readonly address: string;
  readonly client: Client;
  readonly headers: Readonly<Record<string, string>>;
}

/** Sends requests to the server that uses a state folder. Rejects with ServerRefused. */
export async function askServer<Answer>(
  stateFolder: string,
  ask: (connection: Connection) => Promise<Answer>,
): Promise<Answer> {
  const address = await recordedAddress(stateFolder);
  if (address === undefined)
    throw new ServerRefused("a server uses this state folder but is not listening yet; try again in a moment");
  const client = createClient(address, patientFetch);
  const headers = await credentials(stateFolder);
  return ask({ address, client, headers }).catch((error: unknown) => {
    throw new ServerRefused(refusalText(error, address), { cause: error });
  });
}

/** Lets the server that uses a state folder prune it. Rejects with ServerRefused. */
export function pruneByServer(stateFolder: string, body: Prune, isDryRun: boolean): Promise<PruneReport> {
  return askServer(stateFolder, ({ client, headers }) =>
    client("POST /api/prune", { body, query: { dry_run: String(isDryRun) }, headers }),
  );
}

/** Only a server that was started with `--auth token` requires the token; it does no harm otherwise. */
export async function credentials(stateFolder: string): Promise<Readonly<Record<string, string>>> {
  const token = await readFile(accessTokenPath(stateFolder), "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return "";
    throw error;
  });
  return token.trim() === "" ? {} : { authorization: `Bearer ${token.trim()}` };
}

function refusalText(error: unknown, address: string): string {
  if (error instanceof ApiError) return error.message;
  return `the server that has this state folder does not answer at ${address}: ${errorText((error as Error).cause ?? error)}`;
}

/** Like `fetch` of a plain HTTP address, without its timeout of some minutes. */
export const patientFetch: typeof fetch = (address, init = {}) =>
  new Promise((resolve, reject) => {
    const headers = Object.fromEntries(new Headers(init.headers));
    const sent = request(String(address), { method: init.method ?? "GET", headers }, (answer) => {
      const { statusCode: status = 500 } = answer;
      const content = status === 204 ? null : (Readable.toWeb(answer) as ReadableStream<Uint8Array>); // equal classes at run time
      resolve(new Response(content, { status, headers: answer.headers as Record<string, string> })); // no header of this client is repeated
    });
    sent.once("error", reject);
    sent.end(init.body);
  });
