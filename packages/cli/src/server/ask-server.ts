import { readFile } from "node:fs/promises";
import { accessTokenPath } from "@weft/api/auth/tokens/access-token.ts";
import { ApiError, createClient } from "@weft/shared/client.ts";
import type { Client } from "@weft/shared/client.ts";
import type { Prune, PruneReport } from "@weft/shared/records/storage-record.ts";
import { patientFetch } from "./patient-fetch.ts";
import { toldAddress } from "./server-address.ts";

/** The server that has the folder does not do what is asked; the message is for people. */
export class ServerRefused extends Error {}

/** The client of a server, and the headers by which it knows who asks. */
export interface Connection {
  readonly client: Client;
  readonly headers: Readonly<Record<string, string>>;
}

/** Asks the server that has a state folder. Rejects with ServerRefused. */
export async function askServer<Answer>(
  stateFolder: string,
  ask: (connection: Connection) => Promise<Answer>,
): Promise<Answer> {
  const address = await toldAddress(stateFolder);
  if (address === undefined)
    throw new ServerRefused("a server has this state folder and does not listen yet; try again in a moment");
  const client = createClient(address, patientFetch);
  const headers = await credentials(stateFolder);
  return ask({ client, headers }).catch((error: unknown) => {
    throw new ServerRefused(refusalText(error, address), { cause: error });
  });
}

/** Lets the server that has a state folder prune it. Rejects with ServerRefused. */
export function pruneByServer(stateFolder: string, body: Prune, isDryRun: boolean): Promise<PruneReport> {
  return askServer(stateFolder, ({ client, headers }) =>
    client("POST /api/prune", { body, query: { dry_run: String(isDryRun) }, headers }),
  );
}

/** The token is asked for only by a server that was started with `--auth token`; it does no harm otherwise. */
export async function credentials(stateFolder: string): Promise<Readonly<Record<string, string>>> {
  const token = await readFile(accessTokenPath(stateFolder), "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return "";
    throw error;
  });
  return token.trim() === "" ? {} : { authorization: `Bearer ${token.trim()}` };
}

function refusalText(error: unknown, address: string): string {
  if (error instanceof ApiError) return error.message;
  return `the server that has this state folder does not answer at ${address}: ${String((error as Error).cause ?? error)}`;
}
