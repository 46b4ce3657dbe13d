import { Agent, request as send } from "node:http";
import type { IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { fuzzRequest } from "./fuzz-request.ts";
import type { FuzzedRequest } from "./fuzz-request.ts";
import { OpenApiContract } from "./openapi-contract.ts";
import type { OpenApi, ReceivedAnswer } from "./openapi-contract.ts";
import { Random } from "./random.ts";

export interface FuzzOptions {
  /** Without a trailing slash. */
  readonly address: string;
  readonly seed: number;
  readonly requests: number;
  /** Values that are known to exist, by the name of the parameter or field. */
  readonly known: Readonly<Record<string, readonly string[]>>;
}

export interface FuzzReport {
  readonly statuses: ReadonlyMap<number, number>;
  /** A sentence for each broken promise, with the request; the first 20. */
  readonly faults: readonly string[];
}

const MOST_FAULTS = 20;
const LONGEST_MS = 30_000;

/** Sends requests made from /swagger.json and checks every answer with it: no 5xx, no status and no body that is not declared, no hang. */
export async function fuzzServer({ address, seed, requests, known }: FuzzOptions): Promise<FuzzReport> {
  const document = (await (await fetch(`${address}/swagger.json`)).json()) as OpenApi; // checked by its own tests
  const contract = new OpenApiContract(document);
  const random = new Random(seed);
  const statuses = new Map<number, number>();
  const faults: string[] = [];
  const agent = new Agent({ keepAlive: true });
  for (let count = 0; count < requests && faults.length < MOST_FAULTS; count += 1) {
    const wrongness = random.pick([0, 0.05, 0.3]);
    const request = fuzzRequest({ random, document, wrongness, known });
    const answer = await ask(address, request, agent).catch((error: unknown) => `no answer: ${String(error)}`);
    const fault = typeof answer === "string" ? answer : contract.faultOf(request.method, request.target, answer);
    if (typeof answer !== "string") statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
    if (fault !== undefined) faults.push(`${fault}\n  request ${count}: ${JSON.stringify(request).slice(0, 1500)}`);
  }
  agent.destroy();
  return { statuses, faults };
}

/** By node:http rather than fetch, which would put targets and headers in order. */
function ask(address: string, { method, target, headers, body }: FuzzedRequest, agent: Agent): Promise<ReceivedAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<ReceivedAnswer>();
  const { hostname, port } = new URL(address);
  const length = body === undefined ? {} : { "content-length": Buffer.byteLength(body) };
  const signal = AbortSignal.timeout(LONGEST_MS);
  const sent = send({ hostname, port, agent, method, path: target, headers: { ...headers, ...length }, signal });
  sent.on("response", (response) => void receive(response, target).then(resolve, reject));
  sent.on("error", reject);
  sent.end(body);
  return promise;
}

async function receive(response: IncomingMessage, target: string): Promise<ReceivedAnswer> {
  const status = response.statusCode ?? 0;
  const [mediaType = ""] = (response.headers["content-type"] ?? "").split(";", 1);
  // A stream goes on; that it has begun is all that can be asked of it.
  if (mediaType === "text/event-stream" || /[?&]follow=/.test(target)) {
    response.destroy();
    return { status, mediaType, text: "", isWhole: false };
  }
  const isEncoded = response.headers["content-encoding"] !== undefined;
  return { status, mediaType, text: await text(response), isWhole: !isEncoded };
}
