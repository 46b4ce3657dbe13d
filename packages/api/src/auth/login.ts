import type { IncomingHttpHeaders } from "node:http";
import { Refusal } from "@weft/shared/records/refusal.ts";
import type { Site } from "../address/host-policy.ts";
import type { AuthOptions } from "./auth-options.ts";
import { OneTimeSecrets } from "./one-time-secrets.ts";
import { equalSecrets, readSession, writeSession } from "./session-cookie.ts";

/** Who asks, and until when a browser's session counts (wall-clock milliseconds). */
export interface Identity {
  readonly principal: string;
  readonly sessionEndMs?: number;
}

export interface LoginOptions {
  readonly auth: AuthOptions;
  /** Whom requests are recorded as. */
  readonly principal: string;
  /** Cookies are shared by all ports of a host: its name tells servers apart. */
  readonly port: number;
}

const MINUTE_MS = 60_000;
const CODE_LIFE_MS = 60 * MINUTE_MS;
const TICKET_LIFE_MS = MINUTE_MS / 2;
const SESSION_LIFE_MS = 7 * 24 * 60 * MINUTE_MS;

/** Knows who asks: by the access token of a program, the cookie of a browser, or because there is no login. */
export class Login {
  readonly #options: LoginOptions;
  readonly #codes = new OneTimeSecrets<true>({ lifeMs: CODE_LIFE_MS, limit: 16, now: () => performance.now() });
  readonly #tickets = new OneTimeSecrets<Identity>({
    lifeMs: TICKET_LIFE_MS,
    limit: 1024,
    now: () => performance.now(),
  });

  constructor(options: LoginOptions) {
    this.#options = options;
  }

  get mode(): AuthOptions["mode"] {
    return this.#options.auth.mode;
  }

  /** Who sent these headers; a refusal where that cannot be told. A wrong token is not saved by a good cookie. */
  identify(headers: IncomingHttpHeaders): Identity | Refusal {
    const { auth, principal } = this.#options;
    if (auth.mode === "none") return { principal };
    const { authorization } = headers;
    if (authorization !== undefined) {
      const presented = /^Bearer +([A-Za-z0-9_-]+) *$/i.exec(authorization)?.[1];
      if (presented !== undefined && equalSecrets(presented, auth.token)) return { principal };
      return unauthorized(
        "The access token in the Authorization header is not the one of this server",
        "invalid_token",
      );
    }
    const cookie = cookieValue(headers.cookie ?? "", this.#cookieName);
    const sessionEndMs = cookie === undefined ? undefined : readSession(cookie, Date.now(), auth);
    if (sessionEndMs !== undefined) return { principal, sessionEndMs };
    return unauthorized(
      cookie === undefined
        ? "Sign in on a page of this server, or send `Authorization: Bearer` with its access token"
        : "The session is over: sign in again",
    );
  }

  /** A secret for one sign-in within an hour, to be written where only the operator sees it. */
  issueCode(): string {
    return this.#codes.issue(true);
  }

  /** A secret for one WebSocket within 30 s, for programs that cannot send headers with an upgrade. */
  issueTicket(identity: Identity): { readonly ticket: string; readonly endMs: number } {
    return { ticket: this.#tickets.issue(identity), endMs: Date.now() + TICKET_LIFE_MS };
  }

  redeemTicket(ticket: string): Identity | Refusal {
    return this.#tickets.redeem(ticket) ?? unauthorized("The ticket was used already or is older than 30 s");
  }

  /** The cookie that signs a browser in; undefined where nothing has to be signed in to. Refuses a wrong code or token. */
  signIn(
    proof: { readonly code?: string | undefined; readonly token?: string | undefined },
    site: Site,
  ): string | undefined {
    const { auth } = this.#options;
    if (auth.mode === "none") return undefined;
    if (proof.token !== undefined && !equalSecrets(proof.token, auth.token))
      throw unauthorized("This is not the access token of this server", "invalid_token");
    if (proof.code !== undefined && this.#codes.redeem(proof.code) !== true)
      throw unauthorized("This sign-in link was used already or is too old: sign in with the access token instead");
    const session = writeSession(Date.now() + SESSION_LIFE_MS, auth);
    return this.#cookie(session, SESSION_LIFE_MS / 1000, site);
  }

  /** The cookie that makes a browser forget its session. */
  signOut(site: Site): string {
    return this.#cookie("", 0, site);
  }

  get #cookieName(): string {
    return `weft_${this.#options.port}`;
  }

  #cookie(value: string, lifeS: number, { base, prefix }: Site): string {
    const secure = base.startsWith("https:") ? "; Secure" : "";
    return `${this.#cookieName}=${value}; Path=${prefix}/; Max-Age=${lifeS}; HttpOnly; SameSite=Strict${secure}`;
  }
}

function unauthorized(detail: string, error?: "invalid_token"): Refusal {
  const challenge = `Bearer realm="weft"${error === undefined ? "" : `, error="${error}"`}`;
  return new Refusal("unauthorized", detail, { headers: { "WWW-Authenticate": challenge } });
}

/** RFC 6265 section 5.4: of several cookies with one name the first is the most specific. */
function cookieValue(header: string, name: string): string | undefined {
  const pairs = header.split(";").map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
}
