import { createRemoteJWKSet, errors, jwtVerify, type JWTPayload, type JWTVerifyGetKey } from "jose";
import { Refusal } from "@weft/shared/records/refusal.ts";
import { type Role, roleIncludes } from "@weft/shared/records/role.ts";
import { LONGEST_TOKEN } from "@weft/shared/records/session-record.ts";
import { requireHttpUrl } from "../../address/require-http-url.ts";
import type { Identity } from "../../http/identity.ts";
import { z } from "zod";

export interface OidcOptions {
  /** The issuer, exactly as in `iss`; https, or http on loopback. */
  readonly issuer: string;
  /** Audience that `aud` must name. */
  readonly audience: string;
  /** Claim with the name of a person; must be unique, and not chosen by that person. */
  readonly nameClaim: string;
  /** Claim with roles or groups; `a.b` is `b` within `a`. */
  readonly roleClaim: string;
  /** The role for each value of the claim. */
  readonly roleMap: ReadonlyMap<string, Role>;
}

/** Asymmetric algorithms only: if a public key were accepted as a shared secret, anyone could sign tokens. */
const ALGORITHMS = ["RS256", "ES256", "EdDSA"];
const TOLERANCE_S = 60;
const KEY_COOLDOWN_MS = 30_000;
const PROVIDER_TIMEOUT_MS = 5_000;
/** The names of Weft's own tokens contain no colon. */
const PRINCIPAL_PREFIX = "oidc:";

/** Checks tokens of one identity provider. Fetches its keys with the first token, and again for an unknown key. */
export class OidcVerifier {
  readonly #options: OidcOptions;
  #keys: Promise<JWTVerifyGetKey> | undefined;
  #askAgainAtMs = 0;

  /** Throws ServerConfigurationError for an issuer whose keys cannot be fetched safely. */
  constructor(options: OidcOptions) {
    requireHttpUrl("--oidc-issuer", options.issuer);
    this.#options = options;
  }

  /**
   * The identity of the token's sender. Refuses an invalid token (401) and a missing role (403); returns 503 while the
   * provider does not respond.
   */
  async verify(token: string): Promise<Identity | Refusal> {
    if (token.length > LONGEST_TOKEN) return unauthorized(`The token is longer than ${LONGEST_TOKEN} characters`, true);
    try {
      const { payload } = await jwtVerify(token, await this.#openKeys(), {
        algorithms: ALGORITHMS,
        issuer: this.#options.issuer,
        audience: this.#options.audience,
        clockTolerance: TOLERANCE_S,
        requiredClaims: ["exp", this.#options.nameClaim],
      });
      return this.#identify(payload);
    } catch (error) {
      return this.#refuse(error);
    }
  }

  #identify(payload: JWTPayload): Identity | Refusal {
    const { nameClaim, roleClaim, roleMap } = this.#options;
    const name = payload[nameClaim];
    if (typeof name !== "string" || !/^[\x21-\x7e]{1,200}$/.test(name))
      return unauthorized(`The claim "${nameClaim}" of the token must be a name of 1 to 200 ASCII characters`, true);
    const principal = PRINCIPAL_PREFIX + name;
    const role = roleOfClaim(payload, roleClaim, roleMap);
    // `exp` is a required claim, and jose has checked that it is a number.
    if (role !== undefined) return { principal, role, endMs: ((payload.exp ?? 0) + TOLERANCE_S) * 1000 };
    const accepted = [...roleMap.keys()].map((value) => `"${value}"`).join(", ");
    return new Refusal(
      "forbidden",
      `${principal} has no role here: the claim "${roleClaim}" of the token contains none of ${accepted}`,
    );
  }

  /** Fetches the provider's keys. After a failure, a later request tries again, but not every one. */
  #openKeys(): Promise<JWTVerifyGetKey> {
    if (this.#keys !== undefined) return this.#keys;
    if (performance.now() < this.#askAgainAtMs) throw new TypeError("the last attempt failed a moment ago");
    const opening = discoverKeys(this.#options.issuer, PROVIDER_TIMEOUT_MS).then((url) =>
      createRemoteJWKSet(url, { cooldownDuration: KEY_COOLDOWN_MS, timeoutDuration: PROVIDER_TIMEOUT_MS }),
    );
    this.#keys = opening;
    opening.catch(() => {
      this.#keys = undefined;
      this.#askAgainAtMs = performance.now() + KEY_COOLDOWN_MS;
    });
    return opening;
  }

  #refuse(error: unknown): Refusal {
    if (isFaultOfToken(error)) return unauthorized(`This server does not accept the token: ${error.message}`, true);
    const reason = error instanceof Error ? error.message : String(error);
    return new Refusal(
      "login-unavailable",
      `Weft cannot fetch the keys of ${this.#options.issuer} to check tokens: ${reason}`,
      { headers: { "Retry-After": String(KEY_COOLDOWN_MS / 1000) } },
    );
  }
}

/** True if a principal was named by an identity provider. */
export function isOidcPrincipal(principal: string): boolean {
  return principal.startsWith(PRINCIPAL_PREFIX);
}

/** All other errors of jose, and those of fetch, are the provider's fault. */
function isFaultOfToken(error: unknown): error is Error {
  return (
    error instanceof errors.JWTExpired ||
    error instanceof errors.JWTClaimValidationFailed ||
    error instanceof errors.JWTInvalid ||
    error instanceof errors.JWSInvalid ||
    error instanceof errors.JWSSignatureVerificationFailed ||
    error instanceof errors.JOSEAlgNotAllowed ||
    error instanceof errors.JOSENotSupported ||
    error instanceof errors.JWKSNoMatchingKey ||
    error instanceof errors.JWKSMultipleMatchingKeys
  );
}

const LARGEST_BYTES = 1024 * 1024;

const configurationSchema = z.object({ issuer: z.string(), jwks_uri: z.string() });

/**
 * The address of a provider's keys (OpenID Connect Discovery 1.0, 4). Rejects if it does not respond, claims to be
 * another issuer, or names keys that would cross a network unencrypted.
 */
async function discoverKeys(issuer: string, timeoutMs: number): Promise<URL> {
  const address = `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`;
  const response = await fetch(address, { redirect: "error", signal: AbortSignal.timeout(timeoutMs) });
  if (!response.ok) throw new TypeError(`${address} answered ${response.status}`);
  const text = await response.text();
  if (text.length > LARGEST_BYTES) throw new TypeError(`${address} answered more than ${LARGEST_BYTES} bytes`);
  const { data } = configurationSchema.safeParse(JSON.parse(text));
  if (data === undefined) throw new TypeError(`${address} does not name both an issuer and a jwks_uri`);
  if (data.issuer !== issuer)
    throw new TypeError(`${address} is the configuration of the issuer ${JSON.stringify(data.issuer)}`);
  return requireHttpUrl("jwks_uri", data.jwks_uri);
}

/**
 * The highest role that a claim grants; its value is a string of words or a list of strings. `name` is the full name of a
 * claim (`https://lab.example/roles`), or else a path into one (`realm_access.roles`). Undefined: none.
 */
export function roleOfClaim(
  claims: Readonly<Record<string, unknown>>,
  name: string,
  roleMap: ReadonlyMap<string, Role>,
): Role | undefined {
  const value = Object.hasOwn(claims, name) ? claims[name] : valueAt(claims, name.split("."));
  const words = typeof value === "string" ? value.split(/\s+/) : Array.isArray(value) ? value : [];
  const roles = words.flatMap((word) => (typeof word === "string" ? (roleMap.get(word) ?? []) : []));
  return roles.reduce<Role | undefined>(
    (highest, role) => (highest === undefined || roleIncludes(role, highest) ? role : highest),
    undefined,
  );
}

function valueAt(claims: unknown, way: readonly string[]): unknown {
  let here = claims;
  for (const key of way) {
    if (typeof here !== "object" || here === null || !Object.hasOwn(here, key)) return undefined;
    here = Object.getOwnPropertyDescriptor(here, key)?.value;
  }
  return here;
}

/** A 401 refusal with its challenge. `isInvalid`: a token was presented and is not valid (RFC 6750). */
export function unauthorized(detail: string, isInvalid = false): Refusal {
  const challenge = `Bearer realm="weft"${isInvalid ? ', error="invalid_token"' : ""}`;
  return new Refusal("unauthorized", detail, { headers: { "WWW-Authenticate": challenge } });
}
