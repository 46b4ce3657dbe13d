import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestContext } from "node:test";
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWK } from "jose";

/** An identity provider on loopback with a key that it publishes and others that it does not. */
export class OidcIssuer {
  readonly #keys = new Map<string, CryptoKey>();
  readonly published: JWK[] = [];
  /** Number of requests for its keys. */
  keyRequests = 0;
  /** False: every answer is 503. */
  isUp = true;
  /** Issuer in its configuration; absent: its address. */
  claimsToBe: string | undefined;
  address = "";

  static async start(t: TestContext): Promise<OidcIssuer> {
    const issuer = new OidcIssuer();
    const server = createServer((request, response) => {
      const body = issuer.isUp ? issuer.#answer(request.url ?? "") : undefined;
      response.writeHead(body === undefined ? 503 : 200, { "content-type": "application/json" }).end(body);
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    t.after(() => void server.close());
    // A server that listens on a port has an address with a port.
    issuer.address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    await issuer.addKey("first");
    return issuer;
  }

  /** Adds a key that can sign tokens, and publishes it unless it is secret. */
  async addKey(kid: string, { alg = "RS256", secret = false } = {}): Promise<void> {
    const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
    this.#keys.set(kid, privateKey);
    if (!secret) this.published.push({ ...(await exportJWK(publicKey)), kid, alg, use: "sig" });
  }

  /** A valid token for Ann, apart from the given changes. */
  async token(
    claims: Readonly<Record<string, unknown>> = {},
    { kid = "first", alg = "RS256", key }: { kid?: string; alg?: string; key?: CryptoKey | Uint8Array } = {},
  ): Promise<string> {
    const nowS = Math.floor(Date.now() / 1000);
    const usual = { iss: this.address, aud: "weft", sub: "ann", iat: nowS, exp: nowS + 600, roles: ["runner"] };
    const payload = Object.fromEntries(
      Object.entries({ ...usual, ...claims }).filter(([, value]) => value !== undefined),
    );
    const signer = key ?? this.#keys.get(kid);
    if (signer === undefined) throw new Error(`there is no key ${kid}`);
    return new SignJWT(payload).setProtectedHeader({ alg, kid, typ: "JWT" }).sign(signer);
  }

  #answer(path: string): string | undefined {
    if (path === "/.well-known/openid-configuration")
      return JSON.stringify({ issuer: this.claimsToBe ?? this.address, jwks_uri: `${this.address}/keys` });
    if (path !== "/keys") return undefined;
    this.keyRequests += 1;
    return JSON.stringify({ keys: this.published });
  }
}
