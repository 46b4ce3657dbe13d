import assert from "node:assert/strict";
import { hash } from "node:crypto";
import { describe, it, type TestContext } from "node:test";
import { DEFAULT_DOWNLOADS } from "../files/remote/download-store.ts";
import { allowHosts } from "../files/remote/http-policy.ts";
import { startWebServer, text } from "../files/remote/testing/web-server.ts";
import { fetchTrsTool, parseTrsAddress } from "./fetch-trs-tool.ts";

const TOOL = "/ga4gh/trs/v2/tools/act/versions/1.0.0";

const ADDRESSES: readonly (readonly [text: string, url: string | undefined])[] = [
  ["trs://tools.example/act/1.0.0", `https://tools.example${TOOL}`],
  ["trs://127.0.0.1:80/act/1.0.0", `http://127.0.0.1:80${TOOL}`],
  [
    "trs://dockstore.example/%23workflow%2Fgithub.com%2Flab%2Fact/main",
    "https://dockstore.example/ga4gh/trs/v2/tools/%23workflow%2Fgithub.com%2Flab%2Fact/versions/main",
  ],
  ["trs://tools.example/act", undefined],
  ["trs://user@tools.example/act/1", undefined],
  ["https://tools.example/act/1", undefined],
  ["trs://tools.example/act/1#sha1:00", undefined],
];

/** A registry with these files, each listed under its own name. */
async function registry(t: TestContext, listed: readonly object[], files: Readonly<Record<string, string>>) {
  const answers = Object.entries(files).map(
    ([path, content]) => [`${TOOL}/PLAIN_CWL/descriptor/${encodeURIComponent(path)}`, text(content)] as const,
  );
  const server = await startWebServer({
    [`${TOOL}/CWL/files`]: text(JSON.stringify(listed)),
    ...Object.fromEntries(answers),
  });
  t.after(() => server.close());
  return `trs://${new URL(server.address).host}/act/1.0.0`;
}

function fetchFrom(address: string, policy = DEFAULT_DOWNLOADS.policy) {
  const parsed = parseTrsAddress(address);
  assert.ok(parsed !== undefined, address);
  return fetchTrsTool(parsed, { ...DEFAULT_DOWNLOADS, policy });
}

const PRIMARY = { path: "act.cwl", file_type: "PRIMARY_DESCRIPTOR" };

describe("a tool of another registry", () => {
  it("is named by its TRS address", () => {
    for (const [address, url] of ADDRESSES) assert.equal(parseTrsAddress(address)?.url, url, address);
  });

  it("arrives with its helper files, and has the same digest each time", async (t) => {
    const helper = {
      path: "lib/a b.sh",
      file_type: "OTHER",
      checksum: { type: "sha-256", checksum: hash("sha256", "a") },
    };
    const listed = [PRIMARY, helper, { path: "test.json", file_type: "TEST_FILE" }];
    const address = await registry(t, listed, { "act.cwl": "class: CommandLineTool", "lib/a b.sh": "a" });
    const tool = await fetchFrom(address);
    assert.deepEqual([...tool.files.keys()], ["act.cwl", "lib/a b.sh"]);
    assert.equal(tool.primary, "act.cwl");
    assert.equal((await fetchFrom(`${address}#${tool.digest}`)).digest, tool.digest);
    await assert.rejects(fetchFrom(`${address}#sha256:${"0".repeat(64)}`), /have the digest sha256:/);
  });

  it("is refused if the registry's answers cannot be trusted", async (t) => {
    const checksum = { type: "sha256", checksum: "0".repeat(64) };
    const cases: readonly (readonly [listed: readonly object[], message: RegExp])[] = [
      [[], /no CWL document/],
      [[{ ...PRIMARY, path: "../act.cwl" }], /outside its folder/],
      [[PRIMARY, { path: "a/../../b", file_type: "OTHER" }], /outside its folder/],
      [[{ ...PRIMARY, checksum }], /does not have the checksum/],
      [[{ path: 1 }], /not one of TRS 2.0/],
      [[PRIMARY, { path: "gone.sh", file_type: "OTHER" }], /404/],
      [Array.from({ length: 1001 }, () => PRIMARY), /not one of TRS 2.0/],
    ];
    const files = { "act.cwl": "a", "../act.cwl": "a", "a/../../b": "b" };
    for (const [listed, message] of cases) await assert.rejects(fetchFrom(await registry(t, listed, files)), message);
  });

  it("is fetched only from allowed hosts", async (t) => {
    const address = await registry(t, [PRIMARY], { "act.cwl": "a" });
    await assert.rejects(fetchFrom(address, allowHosts(["*"])), /loopback/);
    assert.equal((await fetchFrom(address, allowHosts(["127.0.0.1"]))).files.size, 1);
  });
});
