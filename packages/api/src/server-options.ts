import type { Engine } from "@weft/engine/port/engine.ts";
import type { AuthOptions } from "./auth/auth-options.ts";
import type { RequestRates } from "./limits/rate-limits.ts";
import type { WesDocumentRole } from "@weft/shared/records/wes-document-record.ts";
import type { Limits } from "@weft/shared/limits.ts";
import type { MachineReport } from "@weft/shared/records/machine-record.ts";
import type { Log } from "@weft/engine/log.ts";

/** The server's only settings: it reads neither the environment nor configuration files. */
export interface ServerOptions {
  readonly engine: Engine;
  /** Address to listen on: `127.0.0.1`, `::1` or `localhost`; others require a login, and a proxy that speaks TLS. */
  readonly host: string;
  /** 0 picks a free port. */
  readonly port: number;
  /** The address that people use, if it differs, for example behind a reverse proxy: `https://lab.example/weft`. */
  readonly baseUrl?: string | undefined;
  /** The login; without it, only processes of this account and of root are accepted. */
  readonly auth?: AuthOptions | undefined;
  /** True if a reverse proxy in front of the server terminates TLS. */
  readonly behindProxy?: boolean | undefined;
  /** Addresses and networks of proxies whose X-Forwarded-For, -Host and -Proto are trusted. */
  readonly trustedProxies?: readonly string[] | undefined;
  /** Rate limits per client. Absent: 200 reads and 10 writes per second, with bursts of 400 and 50. */
  readonly rates?: RequestRates | undefined;
  /** The limits. Default: the usual limits. */
  readonly limits?: Limits | undefined;
  /** Total size of one form with its files; absent: unlimited. */
  readonly maxUploadBytes?: number | undefined;
  /** Folder for the audit log; created if it is missing. */
  readonly auditFolder: string;
  /** True if non-admins see only their own runs. Default: false. */
  readonly privateRuns?: boolean | undefined;
  /** True if authors can write and publish tools and networks. Default: true. */
  readonly workbench?: boolean | undefined;
  /** The role that may add documents through WES, if the engine accepts any. Absent: nobody may. */
  readonly wesDocuments?: WesDocumentRole | undefined;
  /** Further accepted values of the Host header, each with its port unless that is 80: `lab.example:8080`. */
  readonly allowedHosts?: readonly string[] | undefined;
  /** Folder with the built web application: `index.html` and `static/`. Without it, pages say how to build it. */
  readonly webRoot?: string | undefined;
  /** Principal of the access token, or of every caller if there is no login. Absent: `local`. */
  readonly principal?: string | undefined;
  /** Finds out what the machine of the server at this address provides and lacks. */
  readonly examine: (address: string) => Promise<MachineReport>;
  readonly log: Log;
  /** Called once, when POST /shutdown has been answered and the engine has stopped. */
  readonly onShutdown?: (() => void) | undefined;
}

export interface RunningServer {
  /** The server's address, without a trailing slash: `http://127.0.0.1:8080`. */
  readonly address: string;
  readonly port: number;
  /** An address that signs in one browser, once, within an hour; undefined if there is no login. */
  signInAddress(): string | undefined;
  /** Finishes open requests (at most 5 s), ends sockets and streams, and frees the port. Does not stop the engine. */
  close(): Promise<void>;
}
