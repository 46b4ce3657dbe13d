import type { Duplex } from "node:stream";
import { Refusal } from "@weft/shared/records/refusal.ts";
import { writeRefusalToSocket } from "./write-refusal.ts";

/** Answers bytes that Node's parser could not read as a request, or that did not arrive in time. */
export function answerUnreadable(error: Error, socket: Duplex, base: string): void {
  const code = "code" in error ? error.code : undefined;
  if (code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  writeRefusalToSocket(refusalOf(code), undefined, socket, base);
}

function refusalOf(code: unknown): Refusal {
  if (code === "HPE_HEADER_OVERFLOW") return new Refusal("headers-too-large", "The headers are larger than 16 KiB");
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return new Refusal("request-timeout", "The headers did not arrive in time");
  return new Refusal("bad-request-target", "The request is not HTTP");
}
