import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { DraftSync, StaleRevision, type SavedText, type SaveState, type UnsavedStore } from "./draft-sync.ts";

const BASE = "one\ntwo\nthree\nfour\nfive\n";

/** A server in memory, and two editors of one draft. */
class Server {
  saved: SavedText = { revision: 1, text: BASE, by: "ann" };
  isDown = false;

  async load(): Promise<SavedText> {
    if (this.isDown) throw new Error("no connection");
    return this.saved;
  }

  async save(by: string, text: string, revision: number): Promise<SavedText> {
    if (this.isDown) throw new Error("no connection");
    if (revision !== this.saved.revision) throw new StaleRevision();
    return (this.saved = { revision: revision + 1, text, by });
  }
}

function editor(server: Server, by: string, left?: ReturnType<UnsavedStore["read"]>) {
  const states: SaveState["kind"][] = [];
  const texts: string[] = [];
  let kept = left;
  const waiting: (() => void)[] = [];
  const sync = new DraftSync(server.saved, {
    server: { load: () => server.load(), save: (text, revision) => server.save(by, text, revision) },
    unsaved: { read: () => kept, write: (unsaved) => void (kept = unsaved) },
    onText: (text) => texts.push(text),
    onState: ({ kind }) => states.push(kind),
    schedule: (act) => waiting.push(act),
  });
  return { sync, states, texts, kept: () => kept, waiting };
}

describe("a draft that two people edit", () => {
  it("is saved, and the next save names the new revision", async () => {
    const server = new Server();
    const { sync, kept } = editor(server, "ann");
    sync.edit(`${BASE}six\n`);
    assert.equal(kept()?.text, `${BASE}six\n`);
    await sync.save();
    assert.deepEqual([server.saved.text, server.saved.revision, kept()], [`${BASE}six\n`, 2, undefined]);
    sync.edit(BASE);
    await sync.save();
    assert.deepEqual([server.saved.text, sync.revision, sync.state.kind], [BASE, 3, "saved"]);
  });

  it("has both changes where they are in different lines", async () => {
    const server = new Server();
    const ann = editor(server, "ann");
    const bob = editor(server, "bob");
    ann.sync.edit(BASE.replace("one", "ONE"));
    bob.sync.edit(BASE.replace("five", "FIVE"));
    await ann.sync.save();
    await bob.sync.save();
    const both = BASE.replace("one", "ONE").replace("five", "FIVE");
    assert.deepEqual(bob.texts, [both]);
    await bob.sync.save();
    assert.equal(server.saved.text, both);
    await ann.sync.refresh();
    assert.deepEqual([ann.texts, ann.sync.state.kind], [[both], "saved"]);
  });

  it("leaves it to a person where both changed a line", async () => {
    const server = new Server();
    const ann = editor(server, "ann");
    const bob = editor(server, "bob");
    ann.sync.edit(BASE.replace("two", "by ann"));
    await ann.sync.save();
    bob.sync.edit(BASE.replace("two", "by bob"));
    await bob.sync.save();
    assert.equal(bob.sync.state.kind, "conflict");
    assert.match(server.saved.text, /by ann/);
    assert.match(bob.sync.text, /by bob/);
    assert.match(bob.kept()?.text ?? "", /by bob/, "a reload does not lose it either");
    bob.sync.edit(bob.sync.text.replace("by bob", "by ann and bob"));
    assert.equal(bob.sync.state.kind, "conflict");
    bob.sync.resolve(bob.sync.text);
    await bob.sync.save();
    assert.match(server.saved.text, /by ann and bob/);
  });

  it("survives a reload without a connection", async () => {
    const server = new Server();
    const first = editor(server, "ann");
    server.isDown = true;
    first.sync.edit(BASE.replace("one", "offline"));
    await first.sync.save();
    assert.deepEqual([first.sync.state.kind, first.waiting.length], ["failed", 2]);
    server.isDown = false;
    await server.save("bob", BASE.replace("five", "FIVE"), 1);
    const again = editor(server, "ann", first.kept());
    assert.equal(again.sync.text, BASE.replace("one", "offline").replace("five", "FIVE"));
    await again.sync.save();
    assert.equal(server.saved.text, again.sync.text);
  });

  it("keeps what is typed while a save is under way", async () => {
    const server = new Server();
    const { sync } = editor(server, "ann");
    sync.edit(`${BASE}a`);
    const saving = sync.save();
    sync.edit(`${BASE}ab`);
    await saving;
    assert.deepEqual([server.saved.text, sync.state.kind], [`${BASE}a`, "unsaved"]);
    await sync.save();
    assert.deepEqual([server.saved.text, sync.state.kind], [`${BASE}ab`, "saved"]);
  });
});
