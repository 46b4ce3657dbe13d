import type { components } from "./api.ts";
import { parseExact, writeExact } from "./exact-json.ts";
import type { RouteId, RouteRequest, RouteResult } from "./routes.ts";

export { parseExact, writeExact } from "./exact-json.ts";
export type { components, paths } from "./api.ts";
export type { RouteId, RouteRequest, RouteResult } from "./routes.ts";

export type Run = components["schemas"]["Run"];
export type RunStatus = components["schemas"]["RunStatus"];
export type Problem = components["schemas"]["Problem"];

/** A request that the server refused; `problem` is its own explanation (RFC 9457). */
export class WeftError extends Error {
  readonly status: number;
  readonly problem: Problem | undefined;

  constructor(status: number, problem: Problem | undefined) {
    const places = (problem?.errors ?? []).map(
      ({ pointer, parameter, detail }) => `${pointer ?? parameter}: ${detail}`,
    );
    const text = problem?.detail ?? `the server answered ${status}`;
    super([text, ...places.filter((place) => !text.includes(place))].join("; "));
    this.name = "WeftError";
    this.status = status;
    this.problem = problem;
  }
}

export interface WeftOptions {
  /** Access token, if the server requires a login. */
  readonly token?: string | undefined;
  readonly fetch?: typeof fetch;
}

export interface WaitOptions {
  /** Called with every change. */
  readonly onProgress?: (status: RunStatus) => void;
  readonly signal?: AbortSignal;
}

const FINAL: ReadonlySet<string> = new Set(["COMPLETE", "EXECUTOR_ERROR", "SYSTEM_ERROR", "CANCELED", "PREEMPTED"]);

/** A Weft server. */
export class Weft {
  /** The server's address, without a slash at its end. */
  readonly base: string;
  readonly #token: string | undefined;
  readonly #fetch: typeof fetch;

  constructor(base: string, options: WeftOptions = {}) {
    this.base = base.replace(/\/+$/, "");
    this.#token = options.token;
    this.#fetch = options.fetch ?? fetch;
  }

  /** Any operation that answers with JSON; `undefined` for an answer without content. Rejects with WeftError for a refusal. */
  async call<Id extends RouteId>(route: Id, request: RouteRequest<Id>): Promise<RouteResult<Id>> {
    const [method = "", template = ""] = route.split(" ");
    // The compiler cannot resolve the parts of a request that depend on its route.
    const { path, query, body, headers, signal } = request as UntypedRequest;
    const answer = await this.send(method, pathText(template, path) + queryText(query), {
      headers: { ...(body === undefined ? {} : { "content-type": "application/json" }), ...headers },
      ...(body === undefined ? {} : { body: writeExact(body) }),
      ...(signal === undefined ? {} : { signal }),
    });
    // The server's tests check that its answers have the described shapes.
    return (answer.status === 204 ? undefined : parseExact(await answer.text())) as RouteResult<Id>;
  }

  /** Any request; `path` begins with a slash. Rejects with WeftError for a refusal. */
  async send(method: string, path: string, { headers, ...init }: RequestInit = {}): Promise<Response> {
    const sent = new Headers(headers);
    if (!sent.has("accept")) sent.set("accept", "application/json");
    if (this.#token !== undefined) sent.set("authorization", `Bearer ${this.#token}`);
    const answer = await this.#fetch(this.base + path, { ...init, method, headers: sent });
    if (answer.ok || answer.status === 304) return answer;
    throw new WeftError(answer.status, await problemOf(answer));
  }

  /** Starts a run, once however often the request is sent. */
  async start(network: string, inputs: Record<string, unknown>, more: Record<string, unknown> = {}): Promise<Run> {
    const headers = { "idempotency-key": crypto.randomUUID(), "content-type": "application/json" };
    const body = writeExact({ network, inputs, ...more });
    const answer = await this.send("POST", "/api/runs", { headers, body });
    return parseExact(await answer.text()) as Run;
  }

  /** Waits until a run has ended. The server answers when something has changed, at the latest after 30 s. */
  async wait(runId: string, { onProgress, signal }: WaitOptions = {}): Promise<RunStatus> {
    const path = pathText("/api/runs/{run_id}/status", { run_id: runId });
    for (let tag = ""; ;) {
      const headers = { prefer: "wait=30", ...(tag === "" ? {} : { "if-none-match": tag }) };
      const answer = await this.send("GET", path, { headers, ...(signal === undefined ? {} : { signal }) });
      tag = answer.headers.get("etag") ?? tag;
      if (answer.status === 304) continue;
      const status = (await answer.json()) as RunStatus;
      onProgress?.(status);
      if (FINAL.has(status.state)) return status;
    }
  }

  /** Ends all processes of a run; resolves when the server has the proof that none is left. */
  async abort(runId: string): Promise<RunStatus> {
    await this.send("DELETE", pathText("/api/runs/{run_id}", { run_id: runId }));
    return this.wait(runId);
  }

  /** The output object; null if there is none. */
  async outputs(runId: string): Promise<Record<string, unknown> | null> {
    const path = { run_id: runId };
    return (await this.call("GET /api/runs/{run_id}/outputs", { path })).outputs;
  }

  /** The output of a job. `tail`: only the last so many bytes. */
  async log(
    runId: string,
    jobId: string,
    query: { stream?: "stdout" | "stderr"; tail?: number } = {},
  ): Promise<string> {
    const path = pathText("/api/runs/{run_id}/jobs/{job_id}/log", { run_id: runId, job_id: jobId });
    return (await this.send("GET", path + queryText(query), { headers: { accept: "*/*" } })).text();
  }

  /** Stores bytes on the server; put the answer into inputs. */
  async upload(name: string, content: BodyInit): Promise<{ class: "File"; location: string }> {
    const headers = { "content-type": "application/octet-stream" };
    const answer = await this.send("POST", `/api/files${queryText({ name })}`, { headers, body: content });
    const { location } = (await answer.json()) as { location: string };
    return { class: "File", location };
  }

  /** The content of an output file, by the `location` of its File. Throws for another server: it must not get the token. */
  async download(location: string): Promise<Uint8Array> {
    if (!location.startsWith(`${this.base}/`)) throw new Error(`${location} is not an address of ${this.base}`);
    const answer = await this.send("GET", location.slice(this.base.length), { headers: { accept: "*/*" } });
    return new Uint8Array(await answer.arrayBuffer());
  }
}

interface UntypedRequest {
  readonly path?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** Fills in a route's template. Slashes of `path` stay. */
function pathText(template: string, values: Readonly<Record<string, unknown>> = {}): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const encoded = encodeURIComponent(String(values[name] ?? ""));
    return name === "path" ? encoded.replaceAll("%2F", "/") : encoded;
  });
}

function queryText(query: Readonly<Record<string, unknown>> = {}): string {
  const pairs = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
  return pairs.length === 0 ? "" : `?${new URLSearchParams(pairs).toString()}`;
}

async function problemOf(answer: Response): Promise<Problem | undefined> {
  if (!(answer.headers.get("content-type") ?? "").includes("json")) return undefined;
  return (await answer.json()) as Problem;
}
