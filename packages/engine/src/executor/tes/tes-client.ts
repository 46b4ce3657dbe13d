import { parseJson } from "@weft/shared/json/exact-json.ts";
import { readFileSync } from "node:fs";
import { Gate } from "../../async/gate.ts";
import { ATTEMPT_TAG, type TaskDocument } from "./task-document.ts";
import { isNoTask, readCreated, readPage, readTask, type TaskView } from "./task-view.ts";
import type { TesSettings } from "./tes-settings.ts";

/**
 * The result of a request. `refused`: the server has decided, and would decide the same again; `absent`: it knows no
 * such task; `silent`: it is unknown what it did, or whether the request arrived.
 */
export type Answer<Value> =
  | { readonly kind: "answered"; readonly value: Value }
  | { readonly kind: "refused" | "silent"; readonly message: string }
  | { readonly kind: "absent" };

interface Request<Value> {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Reads the response; returns undefined if it violates TES. */
  readonly read: (json: unknown) => Value | undefined;
  /** True if a response means that there is no such task. */
  readonly isAbsent?: (json: unknown) => boolean;
}

/**
 * Status codes that do not depend on the request itself: too early, too many, unavailable; or a token that may be
 * renewed.
 */
const NOT_NOW: ReadonlySet<number> = new Set([401, 403, 408, 425, 429]);
/** Maximum number of concurrent requests; more wait. */
const MAX_REQUESTS = 8;
const PAGE_SIZE = "1000";
/** Prevents an endless list. */
const MAX_PAGES = 1000;
const MAX_WORDS = 500;

/** The requests of TES 1.1 that Weft makes. Failures are results, not exceptions. */
export class TesClient {
  readonly #settings: TesSettings;
  readonly #gate = new Gate(MAX_REQUESTS);

  constructor(settings: TesSettings) {
    this.#settings = settings;
  }

  /** Returns the id of the new task. */
  create(document: TaskDocument): Promise<Answer<string>> {
    return this.#ask({ method: "POST", path: "/tasks", body: document, read: readCreated });
  }

  /** `MINIMAL`: only id and state. */
  task(id: string, view: "MINIMAL" | "FULL"): Promise<Answer<TaskView>> {
    return this.#ask({
      method: "GET",
      path: `/tasks/${encodeURIComponent(id)}`,
      query: { view },
      read: (json) => readTask(json, id),
      isAbsent: isNoTask,
    });
  }

  cancel(id: string): Promise<Answer<true>> {
    return this.#ask({ method: "POST", path: `/tasks/${encodeURIComponent(id)}:cancel`, body: {}, read: () => true });
  }

  /**
   * The tasks of an attempt; there should be at most one. Filters by tag, then by name for servers that do not store
   * tags, and again here for servers that filter by neither.
   */
  async find(key: string): Promise<Answer<readonly TaskView[]>> {
    const byTag = await this.#list({ name_prefix: key, tag_key: ATTEMPT_TAG, tag_value: key });
    if (byTag.kind !== "answered") return byTag;
    const isMeant = ({ name, tags }: TaskView) => name === key || tags[ATTEMPT_TAG] === key;
    const found = byTag.value.filter(isMeant);
    if (found.length > 0) return { kind: "answered", value: found };
    const byName = await this.#list({ name_prefix: key });
    return byName.kind === "answered" ? { kind: "answered", value: byName.value.filter(isMeant) } : byName;
  }

  async #list(filter: Readonly<Record<string, string>>): Promise<Answer<readonly TaskView[]>> {
    const tasks: TaskView[] = [];
    let token: string | undefined;
    for (let page = 0; page < MAX_PAGES; page++) {
      const query = {
        ...filter,
        view: "BASIC",
        page_size: PAGE_SIZE,
        ...(token === undefined ? {} : { page_token: token }),
      };
      const answer = await this.#ask({ method: "GET", path: "/tasks", query, read: readPage });
      if (answer.kind !== "answered") return answer;
      tasks.push(...answer.value.tasks);
      token = answer.value.nextToken;
      if (token === undefined) return { kind: "answered", value: tasks };
    }
    return { kind: "silent", message: `its task list has more than ${MAX_PAGES} pages` };
  }

  async #ask<Value>(request: Request<Value>): Promise<Answer<Value>> {
    const { url } = this.#settings;
    if (url === undefined) return { kind: "silent", message: "weft.config.json configures no TES server (tes.url)" };
    try {
      return await this.#gate.pass(() => this.#fetch(url, request));
    } catch (error) {
      return { kind: "silent", message: `${request.method} ${request.path}: ${whyOf(error)}` };
    }
  }

  async #fetch<Value>(base: string, request: Request<Value>): Promise<Answer<Value>> {
    const { method, path, query, body, read } = request;
    const address = `${base.replace(/\/$/, "")}${path}`;
    const response = await fetch(query === undefined ? address : `${address}?${new URLSearchParams(query)}`, {
      method,
      headers: {
        Accept: "application/json",
        ...(body === undefined ? {} : { "Content-Type": "application/json" }),
        ...this.#authorization(),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      // Following a redirect would turn a POST into a GET, and send the token to another server.
      redirect: "manual",
      signal: AbortSignal.timeout(this.#settings.requestMs),
    });
    const text = await response.text();
    const words = `${method} ${path}: ${response.status} ${text.slice(0, MAX_WORDS)}`.trim();
    if (response.status === 404 && method === "GET" && path !== "/tasks") return { kind: "absent" };
    if (response.status >= 500 || NOT_NOW.has(response.status)) return { kind: "silent", message: words };
    if (!response.ok) return { kind: "refused", message: words };
    const json = parseJson(text);
    if (request.isAbsent?.(json) === true) return { kind: "absent" };
    const value = read(json);
    return value === undefined
      ? { kind: "silent", message: `${words} is not a TES response` }
      : { kind: "answered", value };
  }

  #authorization(): Readonly<Record<string, string>> {
    const { tokenFile } = this.#settings;
    return tokenFile === undefined ? {} : { Authorization: `Bearer ${readFileSync(tokenFile, "utf8").trim()}` };
  }
}

/** `fetch` itself only says "fetch failed". */
function whyOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message || error.cause.name : error.message;
}
