import { randomUUID } from "node:crypto";
import { STATUS_CODES, type IncomingMessage, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { DEFAULT_LIMITS } from "@weft/shared/limits.ts";
import type { Refusal } from "@weft/shared/records/refusal.ts";
import { describeProblem, type ProblemAnswer } from "./describe-problem.ts";
import { SECURITY_HEADERS } from "./security-headers.ts";

/** Answers a request that does not reach Koa. `base` is for links, because the request's Host header is not trusted. */
export function writeRefusal(refusal: Refusal, request: IncomingMessage, response: ServerResponse, base: string): void {
  const answer = wireAnswer(refusal, request, base);
  response.writeHead(answer.status, answer.headers);
  response.end(request.method === "HEAD" ? undefined : answer.text);
}

/** Writes a refusal to a bare socket, for upgrades and unreadable requests, and ends the connection. */
export function writeRefusalToSocket(
  refusal: Refusal,
  request: IncomingMessage | undefined,
  socket: Duplex,
  base: string,
): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const { status, headers, text } = wireAnswer(refusal, request, base);
  const lines = Object.entries({ ...headers, Connection: "close" }).map(([name, value]) => `${name}: ${value}`);
  socket.end([`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}`, ...lines, "", text].join("\r\n"));
}

function wireAnswer(refusal: Refusal, request: IncomingMessage | undefined, base: string): ProblemAnswer {
  const requestId = randomUUID();
  const [instance = ""] = (request?.url ?? "").split("?", 1);
  const problem = describeProblem(refusal, { base, requestId, instance, maxErrors: DEFAULT_LIMITS.reportedProblems });
  const headers = {
    ...SECURITY_HEADERS,
    ...problem.headers,
    "Content-Length": String(Buffer.byteLength(problem.text)),
    "X-Request-Id": requestId,
  };
  return { ...problem, headers };
}
