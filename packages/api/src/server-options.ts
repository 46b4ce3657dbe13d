import type { Engine } from "@weft/engine/port/engine.ts";
import type { AuthOptions } from "./auth/auth-options.ts";
import type { RequestRates } from "./limits/rate-limits.ts";
import type { Limits } from "@weft/shared/limits.ts";
import type { Log } from "@weft/engine/log.ts";

/** Everything the server is made from; it reads nothing else, neither environment nor configuration files. */
export interface ServerOptions {
  readonly engine: Engine;
  /** Address to listen on: `127.0.0.1`, `::1` or `localhost`; others need a login, and a proxy that speaks TLS. */
  readonly host: string;
  /** 0 picks a free port. */
  readonly port: number;
  /** The address that people use when it is another one, as behind a reverse proxy: `https://lab.example/weft`. */
  readonly baseUrl?: string | undefined;
  /** Absent: no login, and only processes of this account and of root are answered. */
  readonly auth?: AuthOptions | undefined;
  /** A reverse proxy in front speaks TLS with the clients. */
  readonly behindProxy?: boolean | undefined;
  /** Addresses and networks of proxies whose X-Forwarded-For, -Host and -Proto are believed. */
  readonly trustedProxies?: readonly string[] | undefined;
  /** How many requests of one client are taken. Absent: 200 reads and 10 writes per second, 400 and 50 at once. */
  readonly rates?: RequestRates | undefined;
  /** Absent: the defaults. */
  readonly limits?: Limits | undefined;
  /** Total size of one form with its files; absent: unlimited. */
  readonly maxUploadBytes?: number | undefined;
  /** Folder for the audit log; made where it is missing. */
  readonly auditFolder: string;
  /** Non-admins see only their own runs. Absent: they see all. */
  readonly privateRuns?: boolean | undefined;
  /** Further values of the Host header to answer for, each with its port unless that is 80: `lab.example:8080`. */
  readonly allowedHosts?: readonly string[] | undefined;
  /** Folder with the built web application: `index.html` and `static/`. Without it, pages say how to build it. */
  readonly webRoot?: string | undefined;
  /** Who the requests are recorded as. Absent: `local`. */
  readonly principal?: string | undefined;
  readonly log: Log;
  /** Called once, after POST /shutdown was answered and the engine has stopped. */
  readonly onShutdown?: (() => void) | undefined;
}

export interface RunningServer {
  /** Where it answers, without a trailing slash: `http://127.0.0.1:8080`. */
  readonly address: string;
  readonly port: number;
  /** An address that signs one browser in, once and within an hour; undefined where there is no login. */
  signInAddress(): string | undefined;
  /** Finishes open requests (at most 5 s), ends sockets and streams, frees the port. The engine is left alone. */
  close(): Promise<void>;
}
