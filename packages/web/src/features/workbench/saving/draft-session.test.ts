import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { DraftFileChange } from "@weft/shared/records/draft-record.ts";
import {
  DOCUMENT,
  DraftGone,
  DraftSession,
  StaleRevision,
  type DraftServer,
  type SavedDraft,
  type Unsaved,
} from "./draft-session.ts";

const BASE = "one\ntwo\nthree\nfour\nfive\n";

/** A server in memory, whose answers can be held back. */
class Server {
  draft: SavedDraft | undefined = { revision: 1, text: BASE, by: "ann" };
  readonly files = new Map<string, string>([["run.sh", "echo OLD\n"]]);
  isDown = false;
  /** Path of a file that cannot be written. */
  refused = "";
  /** Saves, but its answers get lost. */
  isMute = false;
  saves = 0;
  /** Requests to save wait for it. */
  gate: Promise<void> = Promise.resolve();

  at(revision: number | undefined): SavedDraft {
    if (this.isDown) throw new Error("no connection");
    if (this.draft === undefined) throw new DraftGone();
    if (revision !== undefined && revision !== this.draft.revision) throw new StaleRevision();
    return this.draft;
  }

  as(by: string): DraftServer {
    const next = (revision: number, text: string) => {
      this.draft = { revision: revision + 1, text, by };
      if (this.isMute) throw new Error("no connection");
      return this.draft;
    };
    return {
      load: async () => this.at(undefined),
      loadFile: async (path) => (this.at(undefined), this.files.get(path)),
      hasFile: async (path) => (this.at(undefined), this.files.has(path)),
      save: async ({ text, changes }, revision) => {
        await this.gate;
        this.saves += 1;
        const before = this.at(revision);
        if (changes.some(({ path }) => path === this.refused)) throw new Error("refused");
        for (const change of changes) this.#change(change);
        return next(revision, text ?? before.text);
      },
    };
  }

  #change(change: DraftFileChange): void {
    if (change.do === "write") this.files.set(change.path, change.text);
    if (change.do === "rename") this.files.set(change.to, this.files.get(change.path) ?? "");
    if (change.do !== "write") this.files.delete(change.path);
  }
}

/** A clock that the test moves, with at most one pending call. */
class Clock {
  ms = 0;
  next: { readonly act: () => void; readonly atMs: number } | undefined;

  readonly nowMs = (): number => this.ms;
  readonly schedule = (act: () => void, delayMs: number): (() => void) => {
    const planned = { act, atMs: this.ms + delayMs };
    this.next = planned;
    return () => void (this.next === planned && (this.next = undefined));
  };

  /** Returns whether a call was due. */
  pass(ms: number): boolean {
    this.ms += ms;
    const { next } = this;
    if (next === undefined || next.atMs > this.ms) return false;
    this.next = undefined;
    next.act();
    return true;
  }
}

function open(server: Server, by: string, left?: Unsaved) {
  const clock = new Clock();
  const received: (readonly [string, string | undefined])[] = [];
  let kept = left;
  const session = new DraftSession(server.at(undefined), {
    server: server.as(by),
    unsaved: { read: () => kept, write: (unsaved) => void (kept = unsaved) },
    clock,
  });
  session.follow(DOCUMENT, (text, who) => received.push([text, who]));
  return { session, clock, received, kept: () => kept };
}

function edit(session: DraftSession, from: string, to: string): void {
  session.edit(DOCUMENT, session.text.replace(from, to));
}

describe("a draft session", () => {
  it("saves displayed texts before an action, and returns their revision", async () => {
    const server = new Server();
    const { session, kept } = open(server, "ann");
    await session.open("run.sh");
    edit(session, "one", "ONE");
    session.edit("run.sh", "echo NEW\n");
    assert.deepEqual([session.state.kind, Object.keys(kept()?.parts ?? {})], ["unsaved", ["", "run.sh"]]);
    const revision = await session.saved();
    assert.equal(revision, server.draft?.revision);
    assert.deepEqual([server.draft?.text, server.files.get("run.sh")], [session.text, "echo NEW\n"]);
    assert.deepEqual([session.state.kind, kept()], ["saved", undefined]);
    assert.equal(await session.saved(), revision, "nothing is saved twice");
  });

  it("saves after a pause in typing, and after three seconds without one", async () => {
    const { session, clock } = open(new Server(), "ann");
    edit(session, "one", "a");
    assert.equal(clock.pass(699), false);
    assert.equal(clock.pass(1), true);
    await session.saved();
    let typedMs = 0;
    for (let letters = "b"; !clock.pass(500); letters += "b") {
      edit(session, session.text.split("\n")[0] ?? "", letters);
      typedMs += 500;
      assert.ok(typedMs <= 3500, "saving is not put off by typing");
    }
  });

  it("keeps text typed during a save, and an action waits for it", async () => {
    const server = new Server();
    const { session } = open(server, "ann");
    const gate = Promise.withResolvers<void>();
    server.gate = gate.promise;
    edit(session, "one", "a");
    const action = session.saved();
    await Promise.resolve();
    assert.equal(session.state.kind, "saving");
    edit(session, "a", "ab");
    gate.resolve();
    assert.equal(await action, 3);
    assert.deepEqual([server.draft?.text, session.state.kind], [session.text, "saved"]);
  });

  it("refuses an action if the text cannot be saved, says why, and tries again", async () => {
    const server = new Server();
    const { session, clock, kept } = open(server, "ann");
    server.isDown = true;
    edit(session, "one", "offline");
    await assert.rejects(session.saved(), /no connection/);
    assert.deepEqual(session.state, { kind: "failed", why: "no connection" });
    assert.match(kept()?.parts[DOCUMENT]?.text ?? "", /offline/);
    server.isDown = false;
    assert.deepEqual([clock.pass(4999), clock.pass(1)], [false, true]);
    await session.saved();
    assert.match(server.draft?.text ?? "", /offline/);
  });

  it("tries again although it also looks for other users' changes in the meantime", async () => {
    const server = new Server();
    const { session } = open(server, "ann");
    server.isDown = true;
    edit(session, "one", "offline");
    await assert.rejects(session.saved());
    await assert.rejects(session.refresh());
    server.isDown = false;
    await session.refresh();
    assert.match(server.draft?.text ?? "", /offline/);
    assert.equal(session.state.kind, "saved");
  });

  it("does not count a text as saved while the server may have another one", async () => {
    const server = new Server();
    const { session, kept } = open(server, "ann");
    server.isMute = true;
    edit(session, "one", "typed");
    await assert.rejects(session.saved(), /no connection/);
    server.isMute = false;
    edit(session, "typed", "one");
    assert.equal(session.state.kind, "unsaved");
    assert.equal(kept()?.parts[DOCUMENT]?.text, BASE, "a reload does not bring the other one back");
    await session.saved();
    assert.deepEqual([server.draft?.text, session.state.kind, kept()], [BASE, "saved", undefined]);
  });

  it("saves the document and files by one request, which a page that is being left can still send", async () => {
    const server = new Server();
    const { session } = open(server, "ann");
    await session.open("run.sh");
    edit(session, "one", "ONE");
    session.edit("run.sh", "echo NEW\n");
    await session.saved();
    assert.deepEqual([server.saves, server.draft?.revision, server.files.get("run.sh")], [1, 2, "echo NEW\n"]);
  });

  it("saves the document although a file is refused", async () => {
    const server = new Server();
    const { session, kept } = open(server, "ann");
    await session.open("run.sh");
    edit(session, "one", "ONE");
    session.edit("run.sh", "echo NEW\n");
    server.refused = "run.sh";
    await assert.rejects(session.saved(), /refused/);
    assert.deepEqual(
      [session.state, Object.keys(kept()?.parts ?? {})],
      [{ kind: "failed", why: "refused" }, ["run.sh", ""]],
    );
    assert.match(server.draft?.text ?? "", /ONE/);
  });

  for (const [what, text] of [
    ["Windows", "a\r\nb\r\n"],
    ["Windows, without a last one", "a\r\nb"],
    ["Unix", "a\nb\n"],
    ["mixed line ends, a byte order mark and tabs", "\uFEFFa\r\n\tb\nc\rd"],
    ["an emoji and half of one", "a 🧠\n\uD83E\n"],
  ] as const)
    it(`keeps the line ends of ${what} across a reload without a connection, and across a merge`, async () => {
      const server = new Server();
      server.draft = { revision: 1, text, by: "ann" };
      server.files.set("run.sh", text);
      const before = open(server, "ann");
      await before.session.open("run.sh");
      server.isDown = true;
      for (const path of [DOCUMENT, "run.sh"]) before.session.edit(path, `new\n${before.session.textOf(path)}`);
      await assert.rejects(before.session.saved());
      server.isDown = false;
      const { session } = open(server, "ann", structuredClone(before.kept()));
      await session.saved();
      const lineEnd = what.startsWith("Windows") ? "\r\n" : "\n";
      assert.deepEqual([server.draft.text, server.files.get("run.sh")], Array(2).fill(`new${lineEnd}${text}`));
    });

  it("restores unsaved text after a reload, and merges it with other users' changes", async () => {
    const server = new Server();
    const first = open(server, "ann");
    await first.session.open("run.sh");
    server.isDown = true;
    edit(first.session, "one", "offline");
    first.session.edit("run.sh", "echo offline\n");
    await assert.rejects(first.session.saved());
    server.isDown = false;
    await server.as("bob").save({ text: BASE.replace("five", "FIVE"), changes: [] }, 1);
    const { session } = open(server, "ann", first.kept());
    const both = BASE.replace("one", "offline").replace("five", "FIVE");
    assert.deepEqual([session.text, session.textOf("run.sh")], [both, "echo offline\n"]);
    await session.saved();
    assert.deepEqual([server.draft?.text, server.files.get("run.sh")], [both, "echo offline\n"]);
  });

  it("does not take its own save for another user's if the answer was lost", async () => {
    const server = new Server();
    const { session } = open(server, "ann");
    await session.open("run.sh");
    server.isMute = true;
    edit(session, "one", "ONE");
    await assert.rejects(session.saved(), /no connection/);
    session.edit("run.sh", "echo NEW\n");
    await assert.rejects(session.saved(), /no connection/);
    server.isMute = false;
    edit(session, "ONE", "One");
    session.edit("run.sh", "echo LAST\n");
    await session.saved();
    assert.deepEqual([session.state.kind, server.files.get("run.sh")], ["saved", "echo LAST\n"]);
    assert.match(server.draft?.text ?? "", /^One\n/);
  });

  it("does not take a save for another user's that the page began before a reload", async () => {
    const server = new Server();
    const before = open(server, "ann");
    await before.session.open("run.sh");
    const gate = Promise.withResolvers<void>();
    server.gate = gate.promise;
    before.session.edit("run.sh", "echo NEW\n");
    const late = before.session.saved();
    await Promise.resolve(); // the request is sent
    const after = open(server, "ann", before.kept());
    await after.session.settled();
    after.session.edit("run.sh", "echo LAST\n");
    const saved = after.session.saved();
    gate.resolve();
    await Promise.all([late, saved]);
    assert.deepEqual([after.session.state.kind, server.files.get("run.sh")], ["saved", "echo LAST\n"]);
  });

  it("lets code replace the document together with newly typed text, or not at all", async () => {
    const { session, received } = open(new Server(), "ann");
    const before = session.text;
    edit(session, "one", "typed");
    assert.equal(session.replace(before, before.replace("five", "drawn")), true);
    const both = BASE.replace("one", "typed").replace("five", "drawn");
    assert.deepEqual([session.text, received], [both, [[both, undefined]]]);
    assert.equal(session.replace(before, before.replace("one", "drawn")), false);
    assert.equal(session.text, both);
  });

  it("adds, renames and deletes files after saving text typed in them", async () => {
    const server = new Server();
    const { session } = open(server, "ann");
    await session.open("run.sh");
    session.edit("run.sh", "echo NEW\n");
    await server.as("bob").save({ text: BASE.replace("five", "FIVE"), changes: [] }, 1);
    await session.change([{ do: "rename", path: "run.sh", to: "bin/run.sh" }]);
    assert.deepEqual([...server.files], [["bin/run.sh", "echo NEW\n"]]);
    assert.deepEqual([session.textOf("run.sh"), session.textOf("bin/run.sh")], [undefined, "echo NEW\n"]);
    await session.change([{ do: "write", path: "new.txt", text: "" }]);
    session.edit("new.txt", "text");
    await session.change([{ do: "delete", path: "new.txt" }]);
    assert.deepEqual([...server.files.keys()], ["bin/run.sh"]);
  });

  it("does not replace a file that another user has just added", async () => {
    const server = new Server();
    const { session } = open(server, "ann");
    await server.as("bob").save({ changes: [{ do: "write", path: "new.sh", text: "echo by bob\n" }] }, 1);
    await assert.rejects(session.change([{ do: "write", path: "new.sh", text: "" }]), /already has a file "new.sh"/);
    assert.equal(server.files.get("new.sh"), "echo by bob\n");
  });
});

describe("a draft that two people edit", () => {
  it("merges changes in different lines, also of files", async () => {
    const server = new Server();
    server.files.set("run.sh", BASE);
    const [ann, bob] = [open(server, "ann"), open(server, "bob")];
    for (const { session } of [ann, bob]) await session.open("run.sh");
    edit(ann.session, "one", "ONE");
    ann.session.edit("run.sh", BASE.replace("one", "ONE"));
    edit(bob.session, "five", "FIVE");
    bob.session.edit("run.sh", BASE.replace("five", "FIVE"));
    await ann.session.saved();
    await bob.session.saved();
    const both = BASE.replace("one", "ONE").replace("five", "FIVE");
    assert.deepEqual(bob.received, [[both, "ann"]]);
    assert.deepEqual([server.draft?.text, server.files.get("run.sh")], [both, both]);
    await ann.session.refresh();
    assert.deepEqual([ann.received, ann.session.textOf("run.sh")], [[[both, "bob"]], both]);
    assert.equal(ann.session.state.kind, "saved");
  });

  it("lets the user decide if both changed a line, and refuses actions until then", async () => {
    const server = new Server();
    const [ann, bob] = [open(server, "ann"), open(server, "bob")];
    for (const { session } of [ann, bob]) await session.open("run.sh");
    ann.session.edit("run.sh", "echo by ann\n");
    await ann.session.saved();
    edit(bob.session, "two", "TWO");
    bob.session.edit("run.sh", "echo by bob\n");
    await assert.rejects(bob.session.saved(), /ann has changed the same lines/);
    const { state } = bob.session;
    assert.deepEqual(state, { kind: "conflict", path: "run.sh", by: "ann" });
    assert.equal(bob.session.theirs("run.sh"), "echo by ann\n");
    assert.equal(server.files.get("run.sh"), "echo by ann\n");
    assert.equal(bob.kept()?.parts["run.sh"]?.text, "echo by bob\n", "a reload does not lose it either");
    bob.session.resolve("echo by both\n");
    await bob.session.saved();
    assert.deepEqual([server.files.get("run.sh"), server.draft?.text], ["echo by both\n", BASE.replace("two", "TWO")]);
  });

  it("still lets the user decide after a reload, and in another window", async () => {
    const server = new Server();
    const { session, kept } = open(server, "ann");
    edit(session, "two", "by ann");
    await server.as("bob").save({ text: BASE.replace("two", "by bob"), changes: [] }, 1);
    await assert.rejects(session.saved(), /bob has changed the same lines/);
    const after = open(server, "ann", kept()).session;
    await assert.rejects(after.saved(), /bob has changed the same lines/);
    assert.match(server.draft?.text ?? "", /by bob/);
    after.resolve(after.text);
    await after.saved();
    assert.match(server.draft?.text ?? "", /by ann/);
  });

  it("asks about nothing but the lines that both changed", async () => {
    const server = new Server();
    const [ann, bob] = [open(server, "ann"), open(server, "bob")];
    edit(ann.session, "two", "by ann");
    edit(ann.session, "five", "FIVE");
    edit(bob.session, "two", "by bob");
    await ann.session.saved();
    await assert.rejects(bob.session.saved());
    edit(bob.session, "four", "FOUR");
    const shown = (two: string) => `one\n${two}\nthree\nFOUR\nFIVE\n`;
    assert.deepEqual([bob.session.text, bob.session.theirs(DOCUMENT)], [shown("by bob"), shown("by ann")]);
    const after = open(server, "bob", structuredClone(bob.kept())).session;
    await after.settled();
    assert.equal(after.state.kind, "conflict");
    assert.deepEqual([after.text, after.theirs(DOCUMENT)], [shown("by bob"), shown("by ann")]);
    after.resolve(after.theirs(DOCUMENT));
    await after.saved();
    assert.equal(server.draft?.text, shown("by ann"));
  });

  it("writes a file again that someone deleted while it was edited, and closes one that was not", async () => {
    const server = new Server();
    server.files.set("other.sh", "echo\n");
    const { session } = open(server, "ann");
    for (const path of ["run.sh", "other.sh"]) await session.open(path);
    session.edit("run.sh", "echo NEW\n");
    const deleted = ["run.sh", "other.sh"].map((path) => ({ do: "delete", path }) as const);
    await server.as("bob").save({ changes: deleted }, 1);
    await session.saved();
    assert.deepEqual([...server.files], [["run.sh", "echo NEW\n"]]);
    assert.equal(session.textOf("other.sh"), undefined);
  });

  it("reports that another user has published or deleted the draft, and keeps the text", async () => {
    const server = new Server();
    const { session, clock } = open(server, "ann");
    server.draft = undefined;
    edit(session, "one", "mine");
    await assert.rejects(session.saved());
    assert.deepEqual([session.state.kind, clock.next], ["gone", undefined]);
    assert.match(session.text, /mine/);
  });

  it("reports it also in a window in which nobody types", async () => {
    const server = new Server();
    const { session } = open(server, "ann");
    server.draft = undefined;
    await session.refresh().catch(() => undefined);
    assert.equal(session.state.kind, "gone");
  });

  it("does not save after its own user has ended it", async () => {
    const server = new Server();
    const { session, kept } = open(server, "ann");
    edit(session, "one", "mine");
    session.end();
    await assert.rejects(session.saved(), /published or deleted/);
    assert.deepEqual([server.saves, kept()], [0, undefined]);
  });
});
