import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { temporaryFolder } from "@weft/shared/testing/temporary-folder.ts";
import { SERVE } from "../declarations/serve-declaration.ts";
import { UsageError } from "../exit/exit.ts";
import { settingsOf } from "../testing/settings-of.ts";
import { readAccess } from "./read-access.ts";

const state = temporaryFolder();
const flags = [...(SERVE.flags ?? []), ...(SERVE.furtherFlags ?? [])];

describe("readAccess", () => {
  const access = (...args: string[]) => readAccess(settingsOf(flags, "--state", state, ...args));

  const wrong: readonly (readonly [args: readonly string[], message: RegExp])[] = [
    [["--auth", "password"], /--auth must be none, token or oidc/],
    [["--peer-user", "no-such-account"], /account "no-such-account" not found/],
    [["--auth", "oidc"], /requires --oidc-issuer/],
    [["--auth", "oidc", "--oidc-issuer", "https://login.example"], /requires --oidc-audience/],
    [
      ["--auth", "oidc", "--oidc-issuer", "https://x", "--oidc-audience", "w", "--oidc-role-map", "root=x"],
      /ROLE=VALUE/,
    ],
    [["--auth", "token", "--oidc-issuer", "https://login.example"], /--oidc-issuer requires --auth oidc/],
    [["--auth", "token", "--let-everybody-in"], /requires --auth none/],
    [["--private-runs"], /requires a login/],
  ];
  for (const [args, message] of wrong)
    it(`refuses ${args.join(" ")}`, () =>
      assert.rejects(access(...args), (error) => error instanceof UsageError && message.test(error.message)));

  it("accepts accounts by their numbers", async () => {
    const { auth } = await access("--peer-user", "1000", "--let-everybody-in");
    assert.deepEqual(auth, { mode: "none", everyone: true, peerUsers: [1000] });
  });
});
