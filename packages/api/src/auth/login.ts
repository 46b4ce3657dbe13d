import type { IncomingHttpHeaders } from "node:http";
import { Refusal } from "@weft/shared/records/refusal.ts";
import type { Site } from "../address/host-policy.ts";
import type { AuthOptions, OwnTokens } from "./auth-options.ts";
import type { Identity } from "../http/identity.ts";
import { endOf, NAMED_TOKEN_PREFIX, type NamedToken } from "./tokens/named-token.ts";
import type { NamedTokens } from "./tokens/named-tokens.ts";
import { isOidcPrincipal, unauthorized, type OidcVerifier } from "./oidc/oidc-verifier.ts";
import { OneTimeSecrets } from "./one-time-secrets.ts";
import { equalSecrets, readSession, writeSession } from "./session-cookie.ts";

export interface LoginOptions {
  readonly auth: AuthOptions;
  /** Principal of the access token; of every caller if there is no login. */
  readonly principal: string;
  /** The named tokens; without them, there is only the access token. */
  readonly namedTokens: NamedTokens | undefined;
  /** The verifier of an identity provider; absent if none is trusted. */
  readonly oidc: OidcVerifier | undefined;
  /** All ports of a host share cookies, so the name of the cookie contains the port. */
  readonly port: number;
}

/** Proof that a browser may sign in. */
export interface SignInProof {
  readonly code?: string | undefined;
  readonly token?: string | undefined;
}

/** The caller, or why the caller cannot be identified. */
type Identified = Identity | Refusal;

/** The signed-in identity and its cookie; undefined if there is no login. */
export interface SignedIn {
  readonly identity: Identity;
  readonly cookie: string | undefined;
}

const MINUTE_MS = 60_000;
const CODE_LIFE_MS = 60 * MINUTE_MS;
const TICKET_LIFE_MS = MINUTE_MS / 2;
const SESSION_LIFE_MS = 7 * 24 * 60 * MINUTE_MS;

/**
 * Identifies the caller: by a token, by the cookie of a browser that signed in with one, or because there is no login.
 */
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

  /**
   * Identifies the sender of a request. Asynchronous only for tokens of an identity provider. A wrong token is refused
   * even with a valid cookie.
   */
  identify(headers: IncomingHttpHeaders): Identified | Promise<Identified> {
    const { auth } = this.#options;
    if (auth.mode === "none") return this.#admin;
    if (headers.authorization !== undefined) return this.#identifyBearer(headers.authorization, auth);
    const cookie = cookieValue(headers.cookie ?? "", this.#cookieName);
    if (cookie === undefined)
      return unauthorized("Sign in, or send a token of this server as `Authorization: Bearer …`");
    const session = readSession(cookie, Date.now(), auth);
    return (
      (session === undefined ? undefined : this.#current(session)) ??
      unauthorized("The session has ended: sign in again")
    );
  }

  /** True if the caller of a long-running request is still authorized: a token may expire or be revoked meanwhile. */
  isCurrent(identity: Identified): boolean {
    return !(identity instanceof Refusal) && this.#current(identity) !== undefined;
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
    const identity = this.#tickets.redeem(ticket);
    const current = identity === undefined ? undefined : this.#current(identity);
    return current ?? unauthorized("The ticket has already been used or is older than 30 s");
  }

  /** Refuses an invalid code or token. A session ends with its token, and after 7 days at the latest. */
  async signIn(proof: SignInProof, site: Site): Promise<SignedIn> {
    const { auth } = this.#options;
    if (auth.mode === "none") return { identity: this.#admin, cookie: undefined };
    const identity = await this.#identifyProof(proof, auth);
    if (identity instanceof Refusal) throw identity;
    const nowMs = Date.now();
    const endMs = Math.min(nowMs + SESSION_LIFE_MS, identity.endMs ?? Number.POSITIVE_INFINITY);
    const value = writeSession({ ...identity, endMs }, auth);
    return { identity, cookie: this.#cookie(value, Math.floor((endMs - nowMs) / 1000), site) };
  }

  /** The cookie that makes a browser forget its session. */
  signOut(site: Site): string {
    return this.#cookie("", 0, site);
  }

  get #admin(): Identity {
    return { principal: this.#options.principal, role: "admin" };
  }

  async #identifyProof({ code, token }: SignInProof, auth: OwnTokens): Promise<Identity | Refusal> {
    if (token !== undefined) return this.#identifyToken(token, auth);
    if (code !== undefined && this.#codes.redeem(code) === true) return this.#admin;
    return unauthorized("This sign-in link has already been used or is too old: sign in with a token instead");
  }

  #identifyBearer(authorization: string, auth: OwnTokens): Identified | Promise<Identified> {
    // RFC 6750, 2.1
    const token = /^Bearer +([A-Za-z0-9._~+/-]+=*) *$/i.exec(authorization)?.[1];
    if (token === undefined) return unauthorized("The Authorization header must be `Bearer` and a token", true);
    return this.#identifyToken(token, auth);
  }

  #identifyToken(token: string, auth: OwnTokens): Identified | Promise<Identified> {
    if (equalSecrets(token, auth.token)) return this.#admin;
    if (token.startsWith(NAMED_TOKEN_PREFIX)) return this.#identifyNamed(token);
    const { oidc } = this.#options;
    if (oidc !== undefined && token.includes(".")) return oidc.verify(token);
    return unauthorized("This token is not valid here", true);
  }

  #identifyNamed(text: string): Identity | Refusal {
    const token = this.#options.namedTokens?.find(text);
    if (token === undefined) return unauthorized("This token is unknown or was revoked", true);
    const identity = identityOf(token);
    if (!hasEnded(identity)) return identity;
    return unauthorized(`The token "${token.name}" expired at ${token.expires_at}: ask for a new one`, true);
  }

  /** The identity with its present role; undefined if the person may no longer sign in. */
  #current(identity: Identity): Identity | undefined {
    if (hasEnded(identity)) return undefined;
    if (isOidcPrincipal(identity.principal) && this.#options.oidc === undefined) return undefined;
    if (identity.tokenHash === undefined) return identity;
    const token = this.#options.namedTokens?.findByHash(identity.tokenHash);
    if (token === undefined || hasEnded(identityOf(token))) return undefined;
    const { endMs } = identity;
    return { ...identityOf(token), ...(endMs === undefined ? {} : { endMs }) };
  }

  get #cookieName(): string {
    return `weft_${this.#options.port}`;
  }

  #cookie(value: string, lifeS: number, { base, prefix }: Site): string {
    const secure = base.startsWith("https:") ? "; Secure" : "";
    return `${this.#cookieName}=${value}; Path=${prefix}/; Max-Age=${lifeS}; HttpOnly; SameSite=Strict${secure}`;
  }
}

function identityOf(token: NamedToken): Identity {
  const endMs = endOf(token);
  const { name: principal, role, sha256: tokenHash } = token;
  return { principal, role, tokenHash, ...(endMs === undefined ? {} : { endMs }) };
}

function hasEnded({ endMs }: Identity): boolean {
  return endMs !== undefined && Date.now() >= endMs;
}

/** The value of a cookie. If several have the same name, the first is the most specific (RFC 6265 section 5.4). */
function cookieValue(header: string, name: string): string | undefined {
  const pairs = header.split(";").map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
}
