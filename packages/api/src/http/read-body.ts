import type { IncomingMessage, ServerResponse } from "node:http";
import { Refusal } from "@weft/shared/records/refusal.ts";
import { BODY_DEADLINE_MS } from "./http-limits.ts";

export interface BodyLimits {
  readonly limitBytes: number;
  readonly deadlineMs?: number;
}

/**
 * Reads a request's body. Refuses with `body-too-large` before reading if the declared length exceeds the limit, or as soon
 * as more than the limit has arrived, and with `request-timeout` if the body does not arrive within the deadline.
 */
export async function readBody(
  request: IncomingMessage,
  response: ServerResponse,
  limits: BodyLimits,
): Promise<Buffer> {
  const { limitBytes, deadlineMs = BODY_DEADLINE_MS } = limits;
  if (Number(request.headers["content-length"] ?? 0) > limitBytes) throw tooLarge(limitBytes);
  letClientSend(request, response);
  const deadline = AbortSignal.timeout(deadlineMs);
  return collect(request, limitBytes, deadline);
}

/** A client that sent `Expect: 100-continue` waits for permission to send the body. */
export function letClientSend(request: IncomingMessage, response: ServerResponse): void {
  if (request.headers.expect?.toLowerCase() === "100-continue") response.writeContinue();
}

/** Does not destroy the request when it gives up, so that the refusal can still be sent on the same connection. */
function collect(request: IncomingMessage, limitBytes: number, deadline: AbortSignal): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const chunks: Buffer[] = [];
  let size = 0;
  const onData = (chunk: Buffer) => {
    size += chunk.length;
    if (size > limitBytes) reject(tooLarge(limitBytes));
    else chunks.push(chunk);
  };
  const onEnd = () => resolve(Buffer.concat(chunks));
  const onLate = () => reject(new Refusal("request-timeout", "The body did not arrive in time"));
  request.on("data", onData).on("end", onEnd).on("error", reject);
  deadline.addEventListener("abort", onLate);
  return promise.finally(() => {
    request.off("data", onData).off("end", onEnd);
    deadline.removeEventListener("abort", onLate);
  });
}

function tooLarge(limitBytes: number): Refusal {
  return new Refusal("body-too-large", `The body may have at most ${limitBytes} bytes`);
}
