import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { temporaryFolder } from "@weft/shared/testing/temporary-folder.ts";
import { expectExit } from "../src/testing/run-in-process.ts";
import { serve } from "../src/testing/serve-in-process.ts";

const root = temporaryFolder();

describe("weft serve", () => {
  const refusals: [string, string[], number, RegExp][] = [
    ["a host that others can reach", ["--host", "0.0.0.0"], 78, /0\.0\.0\.0/],
    ["a token that would be sent unencrypted", ["--host", "0.0.0.0", "--auth", "token"], 78, /--behind-proxy/],
    ["a proxy that is not an address", ["--trust-proxy", "lab"], 78, /--trust-proxy takes an address/],
    ["an unknown flag", ["--prot", "1"], 2, /--prot/],
    ["a port that is not a number", ["--port", "http"], 2, /--port must be a whole number/],
    [
      "a port that no machine has",
      ["--port", "99999"],
      2,
      /--port must be a whole number from 0 to 65535, not "99999"/,
    ],
    ["a missing catalog", ["--catalog", join(root, "nowhere")], 2, /--catalog: folder not found/],
    ["a data folder without a name", ["--data", "/tmp"], 2, /NAME=DIR/],
    ["an output destination without a name", ["--sink", "/tmp"], 2, /--sink must be NAME=DIR/],
    ["a missing output destination", ["--sink", "r=/no/such"], 2, /--sink: folder not found/],
    ["an output destination that contains its own state", ["--sink", `r=${root}`], 2, /overlaps the state folder/],
  ];
  for (const [name, args, code, message] of refusals)
    it(`refuses ${name}`, async () =>
      void (await expectExit(["serve", "--state", join(root, "never"), ...args], code, message)));
});

describe("a command that sends a request to a server", () => {
  it("prints each mistake that the server finds, on a line of its own", async () => {
    const state = join(root, "served");
    const server = await serve(["--state", state]);
    const file = join(root, "automation.json");
    await writeFile(file, '{"name": "night"}');
    const wrong = /^weft: Not valid: [^]*\n {2}\/network: [^]*\n {2}\/trigger: .*\n$/;
    await expectExit(["automate", "add", "--state", state, file], 1, wrong);
    await expectExit(["prune", "--state", state, "--run", "nope"], 1, /\n {2}\/run_id: .*\n$/);
    await expectExit(
      ["automate", "add", "--state", state, root],
      2,
      /cannot read .*: illegal operation on a directory/,
    );
    await server.stop("SIGTERM");
  });
});
