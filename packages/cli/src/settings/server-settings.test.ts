import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Flag } from "./flag.ts";
import { settingsOf } from "../testing/settings-of.ts";
import { runNameSettings, wesDocumentSettings } from "./server-settings.ts";

describe("wesDocumentSettings", () => {
  const FLAGS = [new Flag("--wes-documents <ROLE>", ""), new Flag("--wes-hosts <HOST,…>", "", { isList: true })];
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
    assert.throws(() => read(["--wes-documents", "runner"]), /must be admin or author, not "runner"/);
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
