import { Agent, request as send, type IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { attackRequest } from "./fuzz-attacks.ts";
import { fuzzRequest, type FuzzedRequest } from "./fuzz-request.ts";
import { OpenApiContract, type OpenApi, type ReceivedAnswer } from "./openapi-contract.ts";
import { Random } from "./random.ts";

export interface FuzzOptions {
  /** Without a trailing slash. */
  readonly address: string;
  readonly seed: number;
  readonly requests: number;
  /** Values that are known to exist, by the name of the parameter or field. */
  readonly known: Readonly<Record<string, readonly string[]>>;
}

/** `server-error`: 5xx; `undocumented`: not as /swagger.json says; `hang`: no answer in time; `lost`: the connection broke. */
export const FAULT_KINDS = ["server-error", "undocumented", "hang", "lost"] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];

export interface FuzzReport {
  readonly requests: number;
  readonly statuses: ReadonlyMap<number, number>;
  readonly counts: Readonly<Record<FaultKind, number>>;
  /** A sentence for each of the first 20 faults, with the request. */
  readonly faults: readonly string[];
}

const MAX_FAULTS = 20;
const LONGEST_MS = 30_000;
/** Longest wait for the answer to a request that prunes, which comes after all files are removed. */
const PRUNE_MS = 180_000;
/** Concurrent requests: one core creates them while another answers. */
const AT_ONCE = 8;
const ATTACKS = 0.4;

/** Sends requests made from /swagger.json and checks every answer with it: no 5xx, no status, media type or body that is not declared, no hang. */
export async function fuzzServer({ address, seed, requests, known }: FuzzOptions): Promise<FuzzReport> {
  const document = (await (await fetch(`${address}/swagger.json`)).json()) as OpenApi; // checked by its own tests
  const contract = new OpenApiContract(document);
  const random = new Random(seed);
  const statuses = new Map<number, number>();
  const counts = { "server-error": 0, undocumented: 0, hang: 0, lost: 0 };
  const faults: string[] = [];
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  let made = 0;
  const next = () => {
    made += 1;
    const options = { random, document, wrongness: random.pick([0, 0.05, 0.3]), known };
    return random.isBelow(ATTACKS) ? attackRequest(options) : fuzzRequest(options);
  };
  const work = async () => {
    while (made < requests) {
      const request = next();
      const number = made;
      const answer = await askTwice(address, request, agent).catch(faultOf);
      const fault = "status" in answer ? breach(contract, request, answer) : answer;
      if ("status" in answer) statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      if (fault === undefined) continue;
      counts[fault.kind] += 1;
      if (faults.length < MAX_FAULTS)
        faults.push(`${fault.kind}: ${fault.what}\n  request ${number}: ${JSON.stringify(request).slice(0, 1500)}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  agent.destroy();
  return { requests: made, statuses, counts, faults };
}

interface Fault {
  readonly kind: FaultKind;
  readonly what: string;
}

function faultOf(error: unknown): Fault {
  const isLate = error instanceof Error && ["TimeoutError", "AbortError"].includes(error.name);
  return { kind: isLate ? "hang" : "lost", what: `no answer: ${String(error)}` };
}

function breach(contract: OpenApiContract, request: FuzzedRequest, answer: ReceivedAnswer): Fault | undefined {
  // The server still answers the older address of a plan, but /swagger.json no longer lists it.
  if (answer.status === 200 && request.target.includes("dry_run=")) return undefined;
  const what = contract.faultOf(request.method, request.target, answer);
  return what === undefined ? undefined : { kind: answer.status >= 500 ? "server-error" : "undocumented", what };
}

/** Tries twice, because the server may close an idle connection just when a request uses it again (RFC 9112, 9.3.1). */
async function askTwice(address: string, request: FuzzedRequest, agent: Agent): Promise<ReceivedAnswer> {
  try {
    return await ask(address, request, agent);
  } catch (error) {
    const isStale = error instanceof Error && "code" in error && error.code === "ECONNRESET" && "isReused" in error;
    if (!isStale) throw error;
    return ask(address, request, agent);
  }
}

/** Uses node:http rather than fetch, which would normalize targets and headers. */
function ask(address: string, { method, target, headers, body }: FuzzedRequest, agent: Agent): Promise<ReceivedAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<ReceivedAnswer>();
  const { hostname, port } = new URL(address);
  const length = body === undefined ? {} : { "content-length": Buffer.byteLength(body) };
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(), target.startsWith("/api/prune") ? PRUNE_MS : LONGEST_MS);
  const all = {
    hostname,
    port,
    agent,
    method,
    path: target,
    headers: { ...headers, ...length },
    signal: timeout.signal,
  };
  const sent = send(all);
  sent.on("response", (response) => void receive(response, target).then(resolve, reject));
  sent.on("error", (error) => reject(sent.reusedSocket ? Object.assign(error, { isReused: true }) : error));
  sent.end(body);
  return promise.finally(() => clearTimeout(timer));
}

async function receive(response: IncomingMessage, target: string): Promise<ReceivedAnswer> {
  const status = response.statusCode ?? 0;
  const [mediaType = ""] = (response.headers["content-type"] ?? "").split(";", 1);
  // A stream does not end; the test can only check that it has begun.
  if (mediaType === "text/event-stream" || /[?&]follow=/.test(target)) {
    response.destroy();
    return { status, mediaType, text: "", isWhole: false };
  }
  const isEncoded = response.headers["content-encoding"] !== undefined;
  return { status, mediaType, text: await text(response), isWhole: !isEncoded };
}
