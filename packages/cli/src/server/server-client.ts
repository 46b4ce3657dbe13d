import { readFile, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { accessTokenPath } from "@weft/api/auth/tokens/access-token.ts";
import { ExpectedError, errorText } from "@weft/engine/error-text.ts";
import { ApiError, createClient, readProblem, type Client } from "@weft/shared/routes/client.ts";
import { EXIT } from "../exit/exit.ts";
import { jsonText } from "../output/result-text.ts";
import type { Settings } from "../settings/read-settings.ts";

/** The server that uses the folder refused the request, or does not answer. */
export class ServerRefused extends ExpectedError {}

/** The requests of a command to the server that uses a state folder. They reject with ServerRefused. */
export interface ServerClient {
  readonly client: Client;
  /** Sends a request that the client does not know, and returns the content of a successful answer. */
  readonly send: (path: string, request?: HttpRequest) => Promise<Buffer>;
}

interface HttpRequest extends Pick<RequestInit, "method" | "headers"> {
  readonly body?: RequestInit["body"] | Readable;
}

export function serverClient(stateFolder: string): ServerClient {
  return {
    client: (route, options) => ask(stateFolder, (send) => createClient("", send)(route, options)),
    send: (path, init) =>
      ask(stateFolder, async (send) => {
        const response = await send(path, init);
        if (!response.ok) throw new ApiError(response.status, await readProblem(response));
        return Buffer.from(await response.arrayBuffer());
      }),
  };
}

async function ask<Answer>(stateFolder: string, act: (send: typeof patientFetch) => Promise<Answer>): Promise<Answer> {
  const address = await recordedAddress(stateFolder);
  if (address === undefined)
    throw new ServerRefused(`no server listens for the state folder ${stateFolder}; ${START_ONE}`);
  const own = await credentials(stateFolder);
  const send: typeof patientFetch = (path, init) =>
    patientFetch(`${address}${String(path)}`, { ...init, headers: { ...headersOf(init), ...own } });
  return act(send).catch((error: unknown) => {
    throw new ServerRefused(refusalText(error, stateFolder, address), { cause: error });
  });
}

const START_ONE = 'start one with "weft serve", or wait until it has started';

/** Only a server that was started with `--auth token` requires the token; it does no harm otherwise. */
async function credentials(stateFolder: string): Promise<Readonly<Record<string, string>>> {
  const token = await read(accessTokenPath(stateFolder));
  return token === "" ? {} : { authorization: `Bearer ${token}` };
}

/** The file that names the process which has locked the state folder; the engine writes it immediately after locking. */
const HOLDER = "holder.txt";
const ADDRESS = "address.txt";

/** Records the address for commands that send requests to the server that holds a state folder. */
export async function recordAddress(stateFolder: string, address: string): Promise<void> {
  await writeFile(join(stateFolder, ADDRESS), `${process.pid} ${address}\n`, { mode: 0o600 });
}

/**
 * Address of the server that holds the folder. Undefined until the server listens: the address of an earlier one is
 * ignored, because another program may listen there by now.
 */
export async function recordedAddress(stateFolder: string): Promise<string | undefined> {
  const [pid, address] = (await read(join(stateFolder, ADDRESS))).split(" ");
  return pid === (await read(join(stateFolder, HOLDER))) ? address : undefined;
}

async function read(path: string): Promise<string> {
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return "";
    throw error;
  });
  return text.trim();
}

function refusalText(error: unknown, stateFolder: string, address: string): string {
  if (error instanceof ApiError) return [error.message, ...detailsOf(error)].join("\n  ");
  const why = `${errorText((error as Error).cause ?? error)}; ${START_ONE}`;
  return `the server of the state folder ${stateFolder} does not answer at ${address}: ${why}`;
}

/** The mistakes in the request that the message does not contain, with their places. */
function detailsOf({ message, problem }: ApiError): readonly string[] {
  const errors = (problem?.errors ?? []).filter(({ detail }) => !message.includes(detail));
  return errors.map(({ pointer, parameter, detail }) => `${pointer ?? parameter}: ${detail}`);
}

/** Like `fetch` of a plain HTTP address, without its timeout of some minutes. The body may be a stream. */
export function patientFetch(address: string | URL | Request, init: HttpRequest = {}): Promise<Response> {
  return new Promise((resolve, reject) => {
    const options = { method: init.method ?? "GET", headers: headersOf(init) };
    const sent = request(String(address), options, (answer) => {
      const { statusCode: status = 500 } = answer;
      const content = status === 204 ? null : (Readable.toWeb(answer) as ReadableStream<Uint8Array>); // equal classes at run time
      resolve(new Response(content, { status, headers: answer.headers as Record<string, string> })); // no header of this client is repeated
    });
    sent.once("error", reject);
    // A server that refuses a stream early responds before everything is sent.
    if (init.body instanceof Readable) pipeline(init.body, sent).catch(reject);
    else sent.end(init.body);
  });
}

function headersOf(init: HttpRequest | undefined): Readonly<Record<string, string>> {
  return Object.fromEntries(new Headers(init?.headers));
}

/**
 * A command that sends a request to the server of the state folder, and prints the answer: with `--json` as it is.
 * Without `textOf`, it prints nothing.
 */
export function asking<Answer>(
  requestOf: (client: Client, settings: Settings) => Promise<Answer>,
  textOf?: (answer: Answer, settings: Settings) => string,
): (settings: Settings) => Promise<number> {
  return async (settings) => {
    const answer = await requestOf(serverClient(settings.knownState()).client, settings);
    if (textOf !== undefined)
      settings.io.stdout.write(settings.isOn("json") ? jsonText(answer) : textOf(answer, settings));
    return EXIT.success;
  };
}
