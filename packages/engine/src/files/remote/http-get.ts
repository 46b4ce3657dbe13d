import { lookup as lookUp, type LookupAddress } from "node:dns";
import {
  Agent as HttpAgent,
  request as httpRequest,
  type ClientRequest,
  type IncomingMessage,
  type RequestOptions,
} from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import type { LookupFunction } from "node:net";
import { getCACertificates } from "node:tls";
import { FetchProblem, toFetchProblem } from "./fetch-problem.ts";
import { hostOf, type HttpPolicy, type HttpRefusal } from "./http-policy.ts";
import type { HttpSettings } from "./http-settings.ts";

export interface HttpQuestion {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** Sent by POST; absent: GET. */
  readonly body?: string;
}

const MAX_REDIRECTS = 5;

/**
 * Requests a URL, follows redirects, and resolves with the response once its header has arrived. The policy checks
 * every hop, and the connection goes to exactly the address that was checked, so DNS rebinding does not help an
 * attacker. Rejects with a FetchProblem; the caller handles the status of the response.
 */
export async function httpGet(question: HttpQuestion, settings: HttpSettings): Promise<IncomingMessage> {
  let { url } = question;
  for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
    refuse(settings.policy.refuseUrl(url));
    const response = await askOnce({ ...question, url }, settings);
    const target = redirectOf(response, url);
    if (target === undefined) return response;
    response.destroy();
    url = target;
  }
  throw new FetchProblem(`it was redirected more than ${MAX_REDIRECTS} times`);
}

/**
 * Posts a text and resolves with the response once its header has arrived. It follows no redirect; otherwise the rules of
 * `httpGet` apply.
 */
export async function httpPost(
  question: HttpQuestion & { readonly body: string },
  settings: HttpSettings,
): Promise<IncomingMessage> {
  refuse(settings.policy.refuseUrl(question.url));
  return askOnce(question, settings);
}

function refuse(refusal: HttpRefusal | undefined): void {
  if (refusal !== undefined) throw new FetchProblem(refusal.message, { hint: refusal.hint });
}

function redirectOf({ statusCode, headers }: IncomingMessage, url: string): string | undefined {
  if (![301, 302, 303, 307, 308].includes(statusCode ?? 0)) return undefined;
  const target = headers.location === undefined ? undefined : URL.parse(headers.location, url)?.href;
  if (target === undefined) throw new FetchProblem(`the server answered ${statusCode} without a Location header`);
  return target;
}

function askOnce(question: HttpQuestion, settings: HttpSettings): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const fail = (error: unknown) => reject(toFetchProblem(error));
  try {
    const request = open(question, settings);
    limitWaiting(request, settings);
    request.once("response", resolve);
    request.once("error", fail);
    request.end(question.body);
  } catch (error) {
    fail(error);
  }
  return promise;
}

function open({ url, headers, signal, body }: HttpQuestion, { policy, environment }: HttpSettings): ClientRequest {
  const isTls = url.startsWith("https:");
  const proxy = proxyFor(url, environment);
  const proxyEnv = proxy === undefined ? undefined : { HTTP_PROXY: proxy, HTTPS_PROXY: proxy };
  const agentOptions = proxyEnv === undefined ? {} : { proxyEnv };
  const options: RequestOptions = {
    method: body === undefined ? "GET" : "POST",
    // Content encoding is refused, because checksums refer to the file, not to its transfer.
    headers: { accept: "*/*", "accept-encoding": "identity", "user-agent": "weft", ...length(body), ...headers },
    signal,
    agent: isTls ? new HttpsAgent({ ...agentOptions, ca: authorities() }) : new HttpAgent(agentOptions),
    // Behind a proxy, the proxy resolves names and decides.
    ...(proxy === undefined ? { lookup: checkedLookup(hostOf(url), policy) } : {}),
  };
  return isTls ? httpsRequest(url, options) : httpRequest(url, options);
}

function length(body: string | undefined): Readonly<Record<string, string>> {
  return body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) };
}

let known: string[] | undefined;

/** Node's certificate authorities and those that this machine trusts, because hospitals have their own. */
function authorities(): string[] {
  known ??= [...new Set([...getCACertificates("default"), ...getCACertificates("system")])];
  return known;
}

/** Resolves a name and returns only permitted addresses. */
function checkedLookup(host: string, policy: HttpPolicy): LookupFunction {
  return (name, options, answer) => {
    lookUp(name, { ...options, all: true }, (error, found) => {
      const [first] = found ?? [];
      if (error !== null || first === undefined) return answer(error ?? new Error("no address"), "");
      const refusals = found.map(({ address }) => policy.refuseAddress(host, address));
      const allowed = found.filter((_, index) => refusals[index] === undefined);
      const refusal = refusals.find((it) => it !== undefined);
      if (allowed.length === 0 && refusal !== undefined)
        return answer(new FetchProblem(refusal.message, { hint: refusal.hint }), "");
      give(allowed, options.all === true, answer);
    });
  };
}

function give(found: readonly LookupAddress[], all: boolean, answer: Parameters<LookupFunction>[2]): void {
  const [first] = found;
  if (all) answer(null, [...found]);
  else answer(null, first?.address ?? "", first?.family);
}

function limitWaiting(request: ClientRequest, { connectTimeoutMs, idleTimeoutMs }: HttpSettings): void {
  let waited: ClientRequest | IncomingMessage = request;
  const give = (message: string) => waited.destroy(new FetchProblem(message, { isPassing: true }));
  const timer = setTimeout(() => give(`no connection within ${connectTimeoutMs / 1000} s`), connectTimeoutMs);
  const stop = () => clearTimeout(timer);
  const connected = () => {
    stop();
    request.setTimeout(idleTimeoutMs, () => give(`no data for ${idleTimeoutMs / 1000} s`));
  };
  // The socket arrives connected through a proxy's tunnel.
  request.once("socket", (socket) => (socket.connecting ? socket.once("connect", connected) : connected()));
  request.once("response", (response) => (waited = response));
  request.once("close", stop);
}

/**
 * The proxy for a URL according to the environment: `http_proxy`, `https_proxy` (either case), and `no_proxy`, a list
 * of hosts, domains (`.example.org`; `example.org` includes everything below) or `*`, each with an optional port.
 */
export function proxyFor(url: string, env: Readonly<Record<string, string | undefined>>): string | undefined {
  const { protocol, hostname, port } = new URL(url);
  const isTls = protocol === "https:";
  const variable = isTls ? "https_proxy" : "http_proxy";
  const proxy = env[variable] ?? env[variable.toUpperCase()];
  if (proxy === undefined || proxy === "") return undefined;
  const target = { host: hostname.toLowerCase(), port: port === "" ? (isTls ? "443" : "80") : port };
  const exceptions = (env["no_proxy"] ?? env["NO_PROXY"] ?? "").split(/[\s,]+/);
  return exceptions.some((exception) => isMeant(exception.toLowerCase(), target)) ? undefined : proxy;
}

function isMeant(exception: string, target: { readonly host: string; readonly port: string }): boolean {
  if (exception === "" || exception === "*") return exception === "*";
  const [, written = exception, port] = /^(.*?)(?::(\d+))?$/.exec(exception) ?? [];
  if (port !== undefined && port !== target.port) return false;
  const domain = written.replace(/^\*?\./, "");
  return target.host === domain || target.host.endsWith(`.${domain}`);
}
