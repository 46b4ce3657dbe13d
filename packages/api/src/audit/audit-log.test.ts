import assert from "node:assert/strict";
import { appendFile, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { temporaryFolder } from "@weft/shared/testing/temporary-folder.ts";
import { nextEntry, EMPTY_CHAIN, type AuditFacts } from "./audit-chain.ts";
import { AuditLog, type AuditedRequest } from "./audit-log.ts";
import { checkAuditLog } from "./check-audit-log.ts";

const silent = () => undefined;

function request(more: Partial<AuditedRequest> = {}): AuditedRequest {
  return {
    principal: "ann",
    role: "runner",
    client: "192.0.2.1",
    action: "createRun",
    method: "POST",
    path: "/api/runs",
    status: 201,
    code: null,
    target: "/api/runs/1",
    request_id: "r",
    ...more,
  };
}

/** A log in a new folder, which closes after the test. */
async function openLog(t: TestContext) {
  const folder = temporaryFolder();
  const audit = await AuditLog.open(folder, silent);
  t.after(() => audit.close());
  return { folder, audit };
}

const REFUSED = { status: 401, code: "unauthorized", principal: "anonymous", role: null } as const;

test("entries are listed newest first, in pages, and filtered by the query", async (t) => {
  const { audit } = await openLog(t);
  await Promise.all(Array.from({ length: 5 }, (_, index) => audit.accepted(request({ path: `/${index + 1}` }))));
  await audit.accepted(request({ principal: "bob", action: "abortRun" }));
  audit.refused(request(REFUSED));
  await audit.note("server.stopped", "");
  const seqs = async (query: Parameters<AuditLog["list"]>[0]) =>
    (await audit.list(query)).entries.map(({ seq }) => seq);
  assert.deepEqual(await seqs({}), [8, 7, 6, 5, 4, 3, 2, 1]);
  assert.deepEqual(await seqs({ principal: "ann" }), [5, 4, 3, 2, 1]);
  assert.deepEqual(await seqs({ action: "abortRun" }), [6]);
  assert.deepEqual(await seqs({ action: "Abort run" }), [6]); // as the page shows it
  assert.deepEqual([await seqs({ refused: true }), await seqs({ refused: false })], [[7], [8, 6, 5, 4, 3, 2, 1]]);
  assert.deepEqual(await seqs({ until: "2000-01-01T00:00:00.000Z" }), []);
  assert.equal((await seqs({ since: "2000-01-01T00:00:00.000Z" })).length, 8);
  const { next_page_token: next } = await audit.list({ page_size: 3 });
  assert.deepEqual(
    [await seqs({ page_size: 3 }), await seqs({ page_size: 5, page_token: next })],
    [
      [8, 7, 6],
      [5, 4, 3, 2, 1],
    ],
  );
  assert.equal((await audit.list({ page_size: 5, page_token: next })).next_page_token, "");
  await assert.rejects(audit.list({ page_token: "x" }), { code: "invalid-parameters" });
});

test("the chain continues after a restart, and a line that a crash cut short is removed", async () => {
  const folder = temporaryFolder();
  const first = await AuditLog.open(folder, silent);
  await first.accepted(request());
  await first.close();
  const [name = ""] = await readdir(folder);
  await appendFile(join(folder, name), '{"seq":2,"time":"2026-');
  const messages: string[] = [];
  const second = await AuditLog.open(folder, (_level, message) => messages.push(message));
  await second.accepted(request());
  await second.close();
  assert.deepEqual(messages, ["The last line of the audit log was incomplete and has been removed"]);
  const check = await checkAuditLog(folder);
  assert.deepEqual([check.kind, check.kind === "whole" ? check.entries : 0], ["whole", 2]);
});

const TAMPERED: readonly (readonly [name: string, tamper: (lines: string[]) => string[], fault: RegExp])[] = [
  ["changed", ([a = "", b = "", c = ""]) => [a, b.replace('"ann"', '"eve"'), c], /:2 \(2\) was changed/],
  ["taken out", (lines) => lines.toSpliced(1, 1), /:2 has the number 3 instead of 2/],
  ["put in another order", ([a = "", b = "", c = ""]) => [b, a, c], /:2 has the number 1 instead of 3/],
  ["replaced by another chain", (lines) => lines.with(1, otherSecond()), /:2 \(2\) does not follow the entry before/],
  ["written over", (lines) => lines.with(1, "x"), /:2 is not an entry/],
];

function otherSecond(): string {
  const facts: AuditFacts = { time: "2026-11-21T02:02:14.617Z", ...request(), count: 1 };
  return JSON.stringify(nextEntry(facts, { ...EMPTY_CHAIN, seq: 1, hash: "other" }));
}

test("changes to the log are found", async (t) => {
  for (const [name, tamper, fault] of TAMPERED)
    await t.test(name, async () => {
      const folder = temporaryFolder();
      const audit = await AuditLog.open(folder, silent);
      for (const path of ["/1", "/2", "/3"]) await audit.accepted(request({ path }));
      await audit.close();
      const [file = ""] = await readdir(folder);
      const lines = (await readFile(join(folder, file), "utf8")).trimEnd().split("\n");
      await writeFile(join(folder, file), `${tamper(lines).join("\n")}\n`);
      const check = await checkAuditLog(folder);
      assert.match(check.kind === "broken" ? `${check.place} ${check.fault}` : check.kind, fault);
    });
});

test("the first of many equal refusals is recorded and the rest are counted, for a limited number of kinds", async (t) => {
  t.mock.timers.enable({ apis: ["setInterval"] });
  const { audit } = await openLog(t);
  for (let count = 0; count < 1000; count += 1) audit.refused(request(REFUSED));
  for (let count = 0; count < 5000; count += 1) audit.refused(request({ ...REFUSED, client: `2001:db8::${count}` }));
  t.mock.timers.tick(60_000);
  audit.refused(request(REFUSED));
  await audit.note("server.stopped", "");
  const { entries } = await audit.list({ page_size: 500, refused: true });
  const sum = entries.reduce((total, { count }) => total + count, 0);
  assert.deepEqual([entries.length, sum], [100 + 1 + 2 + 1, 6001]);
  const [again, ...counted] = entries.filter(({ client }) => client === "192.0.2.1");
  assert.deepEqual([again?.count, counted.map(({ count }) => count)], [1, [999, 1]]);
  assert.ok(entries.some(({ client, count }) => client === "several" && count === 4900));
});

test("entries do not grow with the request", async () => {
  const folder = temporaryFolder();
  const audit = await AuditLog.open(folder, silent);
  await audit.accepted(request({ path: `/${"x".repeat(8000)}`, target: "y".repeat(8000) }));
  await audit.close();
  const [name = ""] = await readdir(folder);
  assert.ok((await readFile(join(folder, name), "utf8")).length < 1000);
});

test("a log of several files is one chain, and is read across them", async () => {
  const folder = temporaryFolder();
  const audit = await AuditLog.open(folder, silent);
  // Each batch is one write; a file is closed by the first that finds it too large.
  for (let batch = 0; batch < 3; batch += 1) {
    const path = `/${"x".repeat(255)}`;
    await Promise.all(Array.from({ length: 8000 }, () => audit.accepted(request({ path, target: path }))));
  }
  await audit.close();
  assert.equal((await readdir(folder)).length, 3);
  const check = await checkAuditLog(folder);
  assert.deepEqual([check.kind, check.kind === "whole" ? check.entries : 0], ["whole", 24_000]);
  const { entries } = await audit.list({ page_size: 2, page_token: "8002" });
  assert.equal(entries.map(({ seq }) => seq).join(), "8001,8000");
});
