import { request } from "node:http";
import { Readable } from "node:stream";

/** As `fetch` to a plain HTTP address, but it waits for the answer however long that takes: `fetch` gives up after minutes. */
export const patientFetch: typeof fetch = (address, init = {}) =>
  new Promise((resolve, reject) => {
    const headers = Object.fromEntries(new Headers(init.headers));
    const sent = request(String(address), { method: init.method ?? "GET", headers }, (answer) => {
      const { statusCode: status = 500 } = answer;
      const content = status === 204 ? null : (Readable.toWeb(answer) as ReadableStream<Uint8Array>); // the same class
      resolve(new Response(content, { status, headers: answer.headers as Record<string, string> })); // none of ours comes twice
    });
    sent.once("error", reject);
    sent.end(init.body);
  });
