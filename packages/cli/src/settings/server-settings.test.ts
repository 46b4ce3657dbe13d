import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { temporaryFolder } from "@weft/shared/testing/temporary-folder.ts";
import { SERVE } from "../declarations/serve-declaration.ts";
import { UsageError } from "../exit/exit.ts";
import { Flag } from "./flag.ts";
import { settingsOf } from "../testing/settings-of.ts";
import { readAccess, runNameSettings, wesDocumentSettings } from "./server-settings.ts";

describe("wesDocumentSettings", () => {
  const FLAGS = [new Flag("--wes-documents <ROLE>", ""), new Flag("--wes-hosts <HOST,…>", "", "list")];
  const read = (args: readonly string[], sandbox: "auto" | "required" | "none" = "required") =>
    wesDocumentSettings(settingsOf(FLAGS, ...args), sandbox);

  it("allows no documents by default", () => assert.equal(read([], "none"), undefined));

  it("reads the role and the hosts", () =>
    assert.deepEqual(read(["--wes-documents", "author", "--wes-hosts", "dockstore.org,*.lab.example"]), {
      role: "author",
      hosts: ["dockstore.org", "*.lab.example"],
    }));

  for (const sandbox of ["auto", "none"] as const)
    it(`refuses to start with --sandbox ${sandbox}`, () =>
      assert.throws(() => read(["--wes-documents", "admin"], sandbox), /requires --sandbox required/));

  it("refuses other roles, hosts without a role, and invalid hosts", () => {
    assert.throws(() => read(["--wes-documents", "runner"]), /must be one of admin, author, not "runner"/);
    assert.throws(() => read(["--wes-hosts", "dockstore.org"]), /requires --wes-documents/);
    assert.throws(() => read(["--wes-documents", "admin", "--wes-hosts", "https://a.b/"]), /takes hosts/);
  });
});

it("templates of names apply to all networks or to one, and mistakes are reported", () => {
  const read = (...texts: string[]) => runNameSettings({ list: () => texts });
  assert.deepEqual(read("{network} {date}", "imaging-cohort={subject count}, a=b"), {
    "": [{ field: "network" }, { text: " " }, { field: "date" }],
    "imaging-cohort": [{ field: "subject count" }, { text: ", a=b" }],
  });
  assert.deepEqual(read(), {});
  assert.throws(() => read("{who}"), /cannot have the field \{who\}; fields are \{network\}/);
  for (const wrong of ["", " ", "x=", "a\nb", "x".repeat(201)]) assert.throws(() => read(wrong), /one line/);
});

describe("readAccess", () => {
  const state = temporaryFolder();
  const flags = [...(SERVE.flags ?? []), ...(SERVE.furtherFlags ?? [])];
  const access = (...args: string[]) => readAccess(settingsOf(flags, "--state", state, ...args));

  const wrong: readonly (readonly [args: readonly string[], message: RegExp])[] = [
    [["--auth", "password"], /--auth must be one of none, token, oidc/],
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
