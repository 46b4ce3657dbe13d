import assert from "node:assert/strict";
import { test } from "node:test";
import type { AuthOptions } from "./auth-options.ts";
import { requireSafeListening } from "./require-safe-listening.ts";

const NONE: AuthOptions = { mode: "none" };
const TOKEN: AuthOptions = { mode: "token", token: "x" };

const LOOPBACK = ["127.0.0.1", "127.8.9.1", "::1", "localhost"];
const OTHERS = ["0.0.0.0", "::", "192.168.1.5", "lab.example", "127.evil.example", ""];

test("listens on loopback, with and without a login", () => {
  for (const host of LOOPBACK)
    for (const auth of [NONE, TOKEN]) requireSafeListening({ host, auth, behindProxy: false });
});

test("other addresses need a login and TLS in front", async (t) => {
  const refused = (options: Parameters<typeof requireSafeListening>[0], message: RegExp) =>
    assert.throws(() => requireSafeListening(options), { name: "ServerConfigurationError", exitCode: 78, message });
  for (const host of OTHERS) {
    await t.test(host, () => {
      refused({ host, auth: NONE, behindProxy: false }, /--auth token/);
      refused({ host, auth: NONE, behindProxy: true }, /--auth token/);
      refused({ host, auth: TOKEN, behindProxy: false }, /--behind-proxy/);
      requireSafeListening({ host, auth: TOKEN, behindProxy: true });
    });
  }
});
