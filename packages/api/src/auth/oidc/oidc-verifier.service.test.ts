import assert from "node:assert/strict";
import { test } from "node:test";
import { exportSPKI, importJWK } from "jose";
import type { Role } from "@weft/shared/records/role.ts";
import { Refusal } from "@weft/shared/records/refusal.ts";
import { OidcIssuer } from "../../../test/oidc-issuer.ts";
import { json, problemOf, startTestServer } from "../../../test/test-server.ts";
import { OidcVerifier, type OidcOptions } from "./oidc-verifier.ts";

const ROLES = new Map<string, Role>([
  ["viewer", "viewer"],
  ["runner", "runner"],
  ["admin", "admin"],
]);

function optionsOf(issuer: string): OidcOptions {
  return { issuer, audience: "weft", nameClaim: "sub", roleClaim: "roles", roleMap: ROLES };
}

/** The code of a refusal, or the name of the admitted caller. */
function outcomeOf(answer: Awaited<ReturnType<OidcVerifier["verify"]>>): string {
  return answer instanceof Refusal ? answer.code : `${answer.principal} ${answer.role}`;
}

const nowS = () => Math.floor(Date.now() / 1000);

const claimsNow = (): readonly (readonly [name: string, claims: Record<string, unknown>, expected: string])[] => [
  ["with valid claims", {}, "oidc:ann runner"],
  ["for several audiences", { aud: ["other", "weft"] }, "oidc:ann runner"],
  ["that expired 50 s ago, within the allowed difference of clocks", { exp: nowS() - 50 }, "oidc:ann runner"],
  ["that expired 70 s ago", { exp: nowS() - 70 }, "unauthorized"],
  ["that never expires", { exp: undefined }, "unauthorized"],
  ["that becomes valid in 50 s", { nbf: nowS() + 50 }, "oidc:ann runner"],
  ["that becomes valid in 5 min", { nbf: nowS() + 300 }, "unauthorized"],
  ["for another audience", { aud: "other" }, "unauthorized"],
  ["for no audience", { aud: undefined }, "unauthorized"],
  ["of another issuer", { iss: "http://127.0.0.1:1" }, "unauthorized"],
  ["without a name", { sub: undefined }, "unauthorized"],
  ["with an empty name", { sub: "" }, "unauthorized"],
  ["with a name of two lines", { sub: "ann\nadmin" }, "unauthorized"],
  ["with a name that is a list", { sub: ["ann"] }, "unauthorized"],
  ["without a role", { roles: [] }, "forbidden"],
  ["with a role that does not exist", { roles: ["root"] }, "forbidden"],
  ["that is huge", { padding: "x".repeat(9000) }, "unauthorized"],
];

test("judges a token of the provider by its claims", async (t) => {
  const issuer = await OidcIssuer.start(t);
  const verifier = new OidcVerifier(optionsOf(issuer.address));
  for (const [name, claims, expected] of claimsNow())
    await t.test(name, async () =>
      assert.equal(outcomeOf(await verifier.verify(await issuer.token(claims))), expected),
    );
});

test("signatures count only when they are asymmetric, of a known kind, and by a published key", async (t) => {
  const issuer = await OidcIssuer.start(t);
  await issuer.addKey("es", { alg: "ES256" });
  await issuer.addKey("ed", { alg: "EdDSA" });
  await issuer.addKey("rs512", { alg: "RS512" });
  await issuer.addKey("stolen", { secret: true });
  const verifier = new OidcVerifier(optionsOf(issuer.address));
  const good = await issuer.token();
  const [head = "", body = "", signature = ""] = good.split(".");
  const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const publicKey = await importJWK(issuer.published[0] ?? {}, "RS256");
  const pem = new TextEncoder().encode(publicKey instanceof Uint8Array ? "" : await exportSPKI(publicKey));
  const cases: readonly (readonly [string, string, string])[] = [
    ["ES256", await issuer.token({}, { kid: "es", alg: "ES256" }), "oidc:ann runner"],
    ["EdDSA", await issuer.token({}, { kid: "ed", alg: "EdDSA" }), "oidc:ann runner"],
    ["RS512, which is not accepted", await issuer.token({}, { kid: "rs512", alg: "RS512" }), "unauthorized"],
    ["a key that was not published", await issuer.token({}, { kid: "stolen" }), "unauthorized"],
    ["the public key as a shared secret", await issuer.token({}, { alg: "HS256", key: pem }), "unauthorized"],
    ["none", `${encoded({ alg: "none", typ: "JWT" })}.${body}.`, "unauthorized"],
    ["none, with the signature kept", `${encoded({ alg: "none", kid: "first" })}.${body}.${signature}`, "unauthorized"],
    ["a removed signature", `${head}.${body}.`, "unauthorized"],
    ["the signature of other claims", `${head}.${encoded({ sub: "eve" })}.${signature}`, "unauthorized"],
    ["a text that is not a token", "a.b.c", "unauthorized"],
    ["text", "a.b", "unauthorized"],
  ];
  for (const [name, token, expected] of cases)
    await t.test(name, async () => assert.equal(outcomeOf(await verifier.verify(token)), expected));
});

test("does not ask the provider again for each unknown key", async (t) => {
  const issuer = await OidcIssuer.start(t);
  await issuer.addKey("stolen", { secret: true });
  const verifier = new OidcVerifier(optionsOf(issuer.address));
  await verifier.verify(await issuer.token());
  const asked = issuer.keyRequests;
  for (let count = 0; count < 20; count += 1) await verifier.verify(await issuer.token({}, { kid: "stolen" }));
  assert.equal(issuer.keyRequests, asked);
});

test("a provider that does not answer is reported as unavailable, not as a wrong token", async (t) => {
  const issuer = await OidcIssuer.start(t);
  issuer.isUp = false;
  const verifier = new OidcVerifier(optionsOf(issuer.address));
  assert.equal(outcomeOf(await verifier.verify(await issuer.token())), "login-unavailable");
  assert.equal(outcomeOf(await verifier.verify(await issuer.token())), "login-unavailable");
  assert.equal(issuer.keyRequests, 0);
});

test("a provider whose metadata name another issuer is rejected", async (t) => {
  const issuer = await OidcIssuer.start(t);
  issuer.claimsToBe = "https://evil.example";
  assert.equal(
    outcomeOf(await new OidcVerifier(optionsOf(issuer.address)).verify(await issuer.token())),
    "login-unavailable",
  );
});

test("an issuer whose keys would cross a network in the clear is refused at the start", () => {
  for (const issuer of ["http://login.example", "login.example", "file:///etc"])
    assert.throws(() => new OidcVerifier(optionsOf(issuer)), { name: "ServerConfigurationError" }, issuer);
});

test("a server with a provider accepts both kinds of tokens, also to sign in a browser", async (t) => {
  const issuer = await OidcIssuer.start(t);
  const auth = { mode: "oidc", token: "s".repeat(43), oidc: optionsOf(issuer.address) } as const;
  const server = await startTestServer(t, { auth });
  const call = async (request: string, token: string) =>
    server.call(request, { headers: { authorization: `Bearer ${token}` } });
  const ann = await issuer.token();
  const { principal, role } = JSON.parse((await call("GET /api/session", ann)).text);
  assert.deepEqual([principal, role], ["oidc:ann", "runner"]);
  assert.equal((await call("GET /api/runs", auth.token)).status, 200);
  assert.equal(problemOf(await call("GET /api/runs", await issuer.token({ roles: [] }))).code, "forbidden");
  const signedIn = await server.call("POST /api/session", json({ token: ann }));
  const cookie = signedIn.headers.get("set-cookie") ?? "";
  assert.match(cookie, /Max-Age=6\d\d;/);
  const headers = { cookie: cookie.split(";")[0] ?? "" };
  assert.equal(JSON.parse((await server.call("GET /api/session", { headers })).text).principal, "oidc:ann");
  await server.close();
  const withoutProvider = await startTestServer(t, { auth: { mode: "token", token: auth.token }, port: server.port });
  assert.equal((await withoutProvider.call("GET /api/runs", { headers })).status, 401);
  issuer.isUp = false;
  const later = await startTestServer(t, { auth });
  const unavailable = await later.call("GET /api/runs", { headers: { authorization: `Bearer ${ann}` } });
  assert.deepEqual([unavailable.status, unavailable.headers.get("retry-after")], [503, "30"]);
});
