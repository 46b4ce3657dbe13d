/** The thief of a token can do nothing once it is revoked, even if a new token gets its name. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { temporaryFolder } from "@weft/shared/testing/temporary-folder.ts";
import { callerOf } from "@weft/api/auth/caller-of.ts";
import { addToken, removeToken } from "@weft/api/auth/tokens/token-folder.ts";
import type { ActAs, Caller, Grant } from "@weft/engine/port/caller.ts";
import { runToEnd } from "@weft/engine/testing/drive-runs.ts";
import { openTestEngine } from "@weft/engine/testing/open-test-engine.ts";
import { ScriptedExecutor } from "@weft/engine/testing/scripted-executor.ts";
import { createActAs } from "./create-act-as.ts";
import { ask, askText } from "@weft/engine/testing/ask-engine.ts";

const NETWORK =
  "cwlVersion: v1.2\nclass: Workflow\ninputs: {}\noutputs: {}\nsteps: {say: {run: {class: CommandLineTool, baseCommand: say, inputs: {}, outputs: {}}, in: {}, out: []}}\n";
const base = "https://weft.test";

async function start(t: TestContext) {
  const root = temporaryFolder({ "catalog/networks/say/say.cwl": NETWORK });
  const folder = join(root, "tokens");
  const auth = { mode: "token", token: "x".repeat(43), namedTokens: folder } as const;
  const actAs: ActAs = createActAs({ auth, privateRuns: true, base, log: () => {} });
  const engine = await openTestEngine(root, { executor: new ScriptedExecutor({ say: () => {} }), actAs });
  t.after(() => engine.stop("cancel"));
  const create = async (name: string): Promise<Caller> => {
    const added = (await addToken(folder, { name, role: "runner", expires_at: null })) ?? assert.fail();
    const { sha256: tokenHash } = added.token;
    return callerOf({ principal: name, role: "runner", tokenHash }, base, { privateRuns: true });
  };
  return { engine, actAs, create, revoke: (name: string) => removeToken(folder, name) };
}

describe("a token that was revoked", () => {
  it("shows no new runs in its feeds, even after a new token gets its name", async (t) => {
    const { engine, create, revoke } = await start(t);
    const stolen = await create("ann");
    const scope = { network: "say" };
    const feed = { channel: "feed" as const, name: "Mine", scope, triggers: ["success" as const] };
    const { subscription_id: id, feed_url: url } = await ask(engine, "POST /api/subscriptions", {
      caller: stolen,
      body: feed,
    });
    const token = new URL(url ?? "").searchParams.get("token") ?? "";
    const read = () =>
      askText(engine, "GET /api/feeds/{subscription_id}", {
        caller: stolen,
        params: { subscription_id: id },
        query: { token: token },
      });
    await runToEnd(engine, { network: "say", inputs: {}, name: "first" }, stolen);
    assert.match(await read(), /first/);
    await revoke("ann");
    await assert.rejects(read, /no such feed/);
    const renewed = await create("ann");
    await runToEnd(engine, { network: "say", inputs: {}, name: "secret" }, renewed);
    await assert.rejects(read, /no such feed/);
    const own = await ask(engine, "POST /api/subscriptions", { caller: renewed, body: feed });
    assert.notEqual(own.feed_url, null);
  });

  it("starts no more automatic runs, even if a new token has its name", async (t) => {
    const { engine, create, revoke } = await start(t);
    const stolen = await create("ann");
    const trigger = { kind: "run-ended", network: "say" } as const;
    const settings = { name: "Spy", network: "say", trigger, mode: "all", settle_s: 0, max_runs_per_day: 5 } as const;
    const { automation_id: id } = await ask(engine, "POST /api/automations", { caller: stolen, body: settings });
    await revoke("ann");
    const renewed = await create("ann");
    const state = async () => (await ask(engine, "GET /api/automations", { caller: renewed })).automations[0]?.state;
    const stopped = Promise.withResolvers<void>();
    const look = () => void state().then((is) => is === "active" || stopped.resolve());
    const unsubscribe = engine.events.subscribe(look);
    await runToEnd(engine, { network: "say", inputs: {} }, renewed);
    look();
    await stopped.promise;
    unsubscribe();
    const [automation] = (await ask(engine, "GET /api/automations", { caller: renewed })).automations;
    assert.deepEqual([automation?.automation_id, automation?.state, automation?.runs_started], [id, "stopped", 0]);
    assert.match(automation?.reason ?? "", /ann may no longer use this server/);
  });

  it("grants nothing that was recorded without a token, unless the token is older", async (t) => {
    const { actAs, create, revoke } = await start(t);
    const grantOf = (createdMs: number, credential: string | null = null): Grant => ({
      owner: "ann",
      credential,
      createdMs,
    });
    const before = Date.now();
    const ann = await create("ann");
    assert.equal(actAs(grantOf(before - 1)), undefined);
    assert.equal(actAs(grantOf(Date.now()))?.role, "runner");
    assert.equal(actAs(grantOf(0, ann.credential))?.role, "runner");
    await revoke("ann");
    await create("ann");
    assert.equal(actAs(grantOf(Date.now(), ann.credential)), undefined);
  });
});
