import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

export interface WebServer {
  /** `http://127.0.0.1:port`, without a trailing slash. */
  readonly address: string;
  /** `METHOD path` with the headers that tests check, in order. */
  readonly requests: readonly IncomingMessage[];
  close(): Promise<void>;
}

/** A web server on a free loopback port that responds by path; every other path is a 404. */
export async function startWebServer(answers: Readonly<Record<string, Answer>>): Promise<WebServer> {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    const path = request.url?.split("?")[0] ?? "";
    const answer = answers[path];
    if (answer === undefined) response.writeHead(404).end("nothing here");
    else answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo; // it listens on a port
  return {
    address: `http://127.0.0.1:${port}`,
    requests,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export const text =
  (content: string, headers: Readonly<Record<string, string>> = {}): Answer =>
  (_request, response) =>
    response.writeHead(200, headers).end(content);

/** Content whose transfer is encoded, although the client wants it as it is. */
export const encoded =
  (encoding: string, content: Buffer): Answer =>
  (_request, response) =>
    response.writeHead(200, { "content-encoding": encoding, "content-length": content.length }).end(content);

export const redirect =
  (target: string, status = 302): Answer =>
  (_request, response) =>
    response.writeHead(status, { location: target }).end();
