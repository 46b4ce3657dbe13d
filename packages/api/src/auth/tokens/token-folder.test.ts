import assert from "node:assert/strict";
import { readFile, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "@weft/shared/testing/temporary-folder.ts";
import { tokenHash, type NamedToken } from "./named-token.ts";
import { NamedTokens } from "./named-tokens.ts";
import { addToken, readTokenFolder, removeToken } from "./token-folder.ts";

const newFolder = () => join(temporaryFolder(), "tokens");

const ANN = { name: "ann", role: "runner", expires_at: null } as const;

test("only the hash of a token is kept, readable only by the owner of the folder", async () => {
  const folder = newFolder();
  const made = await addToken(folder, ANN);
  assert.match(made?.text ?? "", /^weft_[A-Za-z0-9_-]{43}$/);
  const path = join(folder, "ann.json");
  const text = await readFile(path, "utf8");
  assert.equal(JSON.parse(text).sha256, tokenHash(made?.text ?? ""));
  assert.ok(!text.includes(made?.text ?? ""));
  assert.deepEqual([(await stat(path)).mode & 0o777, (await stat(folder)).mode & 0o777], [0o600, 0o700]);
});

test("only one process creates a token if several try the same name at once", async () => {
  const folder = newFolder();
  const made = await Promise.all(Array.from({ length: 8 }, () => addToken(folder, ANN)));
  const texts = made.flatMap((one) => (one === undefined ? [] : [one.text]));
  assert.equal(texts.length, 1);
  const sha256s = readTokenFolder(folder).tokens.map(({ sha256 }) => sha256);
  assert.deepEqual(sha256s, texts.map(tokenHash));
});

test("a revoked token may be created again, as a different token", async () => {
  const folder = newFolder();
  const first = await addToken(folder, ANN);
  assert.deepEqual([await removeToken(folder, "ann"), await removeToken(folder, "ann")], [true, false]);
  assert.notEqual((await addToken(folder, ANN))?.text, first?.text);
});

test("a file without a valid token admits nobody and is reported", async () => {
  const folder = newFolder();
  await addToken(folder, ANN);
  const text = await readFile(join(folder, "ann.json"), "utf8");
  await writeFile(join(folder, "bob.json"), text);
  await writeFile(join(folder, "eve.json"), text.replace("runner", "root").replace("ann", "eve"));
  await writeFile(join(folder, "sam.json"), text.slice(0, 20));
  await writeFile(join(folder, "local.json"), text.replace("ann", "local"));
  const { tokens, broken } = readTokenFolder(folder);
  const found = [tokens.map(({ name }) => name), broken];
  assert.deepEqual(found, [["ann"], ["bob.json", "eve.json", "local.json", "sam.json"]]);
});

test("changes by another process apply immediately and are reported", async () => {
  const folder = newFolder();
  const changes: string[] = [];
  const changed = (change: string, { name }: NamedToken) => void changes.push(`${change} ${name}`);
  const tokens = new NamedTokens({ folder, log: () => {}, changed });
  assert.equal(tokens.find("weft_x"), undefined);
  const ann = await addToken(folder, ANN);
  assert.equal(tokens.find(ann?.text ?? "")?.name, "ann");
  const bob = await addToken(folder, { ...ANN, name: "bob" });
  assert.equal(tokens.find(bob?.text ?? "")?.name, "bob");
  await removeToken(folder, "ann");
  assert.equal(tokens.find(ann?.text ?? ""), undefined);
  assert.equal(tokens.count, 1);
  assert.deepEqual(changes, ["added ann", "added bob", "removed ann"]);
});

test("an unchanged folder is not read again", async () => {
  const folder = newFolder();
  await addToken(folder, ANN);
  const longAgo = new Date(Date.now() - 60_000);
  await utimes(folder, longAgo, longAgo);
  const tokens = new NamedTokens({ folder, log: () => undefined });
  await writeFile(join(folder, "ann.json"), "");
  await utimes(folder, longAgo, longAgo);
  assert.equal(tokens.count, 1);
});
