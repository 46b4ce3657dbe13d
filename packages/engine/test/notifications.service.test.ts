import assert from "node:assert/strict";
import { readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { after, afterEach, before, beforeEach, describe, it } from "node:test";
import { SMTPServer } from "smtp-server";
import { Webhook } from "standardwebhooks";
import { eventSchema } from "@weft/shared/events/event.ts";
import { createLinks } from "@weft/shared/links.ts";
import {
  messageSchema,
  type CreatedSubscription,
  type CreateSubscription,
  type Delivery,
} from "@weft/shared/records/subscription-record.ts";
import type { Trigger } from "@weft/shared/records/subscription-names.ts";
import { allowHosts, WEBHOOKS } from "../src/files/remote/http-policy.ts";
import type { EngineOptions } from "../src/app/engine-options.ts";
import type { Caller, AbsentUser } from "../src/port/caller.ts";
import type { Engine } from "../src/port/engine.ts";
import { runToEnd, untilEvent } from "../src/testing/drive-runs.ts";
import { openTestEngine } from "../src/testing/open-test-engine.ts";
import { ScriptedExecutor } from "../src/testing/scripted-executor.ts";
import { WebhookReceiver } from "../src/testing/webhook-receiver.ts";
import { text } from "node:stream/consumers";
import { temporaryFolder, writeFiles } from "@weft/shared/testing/temporary-folder.ts";
import { ask, askText } from "../src/testing/ask-engine.ts";
import { columns } from "../src/testing/columns.ts";

const executor = new ScriptedExecutor({
  end: ({ args: [code] }) => Number(code),
  draw: ({ args: [name = "", extension = ""], write }) => write(`${name}.${extension}`, "\n"),
});

const EXIT = `cwlVersion: v1.2
class: Workflow
inputs: { code: int }
steps:
  exit:
    in: { code: code }
    out: []
    run: { class: CommandLineTool, baseCommand: end, inputs: { code: { type: int, inputBinding: {} } }, outputs: [] }
outputs: []
`;

const PICTURES = `cwlVersion: v1.2
class: Workflow
requirements: { ScatterFeatureRequirement: {} }
inputs: { names: "string[]", extension: string }
steps:
  draw:
    scatter: name
    in: { name: names, extension: extension }
    out: [picture]
    run:
      class: CommandLineTool
      baseCommand: draw
      inputs: { name: { type: string, inputBinding: { position: 1 } }, extension: { type: string, inputBinding: { position: 2 } } }
      outputs: { picture: { type: File, outputBinding: { glob: "sub-*" } } }
outputs: { pictures: { type: "File[]", outputSource: draw/picture } }
`;

const links = createLinks("https://weft.test");
const ann: Caller = { principal: "ann", links, othersRuns: "hidden" };
const bob: Caller = { principal: "bob", links, othersRuns: "hidden" };
const root = temporaryFolder();
const absentUsers = new Map<string, AbsentUser>();
const FAST = [20];
const FAILURE: Trigger[] = ["failure"];
const SUCCESS: Trigger[] = ["success"];
let receiver: WebhookReceiver;
let engine: Engine;
let mails: { readonly to: readonly string[]; readonly text: string }[] = [];
const smtp = new SMTPServer({
  disabledCommands: ["AUTH", "STARTTLS"],
  onData: (stream, session, done) => {
    void keep(stream, session.envelope.rcptTo).then(() => done());
  },
});

async function keep(stream: NodeJS.ReadableStream, to: readonly { readonly address: string }[]): Promise<void> {
  mails.push({ to: to.map(({ address }) => address), text: await text(stream) });
}

function webhooks(hosts: readonly string[], idleTimeoutMs = 60_000) {
  return { policy: allowHosts(hosts, WEBHOOKS), connectTimeoutMs: 5000, idleTimeoutMs, environment: {} };
}

function open(more: Partial<EngineOptions> = {}): Promise<Engine> {
  const { port } = smtp.server.address() as { port: number }; // it listens on TCP
  const mail = { host: "127.0.0.1", port, secure: false, from: "weft@lab.example", domains: ["lab.example"] };
  const notifications = { webhooks: webhooks(["127.0.0.1"]), mail, delaysMs: FAST };
  return openTestEngine(root, {
    executor,
    container: "none",
    notifications,
    actAs: ({ owner }) => absentUsers.get(owner),
    ...more,
  });
}

async function run(code: number, name = "Night", owner = ann): Promise<string> {
  return (await runToEnd(engine, { network: "exit", inputs: { code }, name }, owner)).run_id;
}

const create = (body: CreateSubscription, by = ann) => ask(engine, "POST /api/subscriptions", { caller: by, body });
const OF_EXIT = { name: "Bot", scope: { network: "exit" }, triggers: FAILURE };
const subscribe = (url = receiver.url) => create({ ...OF_EXIT, channel: "webhook", url });
const at = (id: string, by = ann) => ({ caller: by, params: { subscription_id: id } });
const deliveriesOf = (id: string, by = ann) =>
  ask(engine, "GET /api/subscriptions/{subscription_id}/deliveries", at(id, by));
const sendTest = (id: string, by = ann) => ask(engine, "POST /api/subscriptions/{subscription_id}/test", at(id, by));
const remove = (id: string, by = ann) => ask(engine, "DELETE /api/subscriptions/{subscription_id}", at(id, by));

/** Replaces the server by one with other options. */
async function reopen(more: Partial<EngineOptions> = {}): Promise<void> {
  await engine.stop("detach");
  engine = await open(more);
}

/** The deliveries, oldest first, once none is pending. */
function settled(subscriptionId: string): Promise<readonly Delivery[]> {
  return untilAll(subscriptionId, ({ state }) => state !== "pending");
}

/** The deliveries, oldest first, once all of them, and at least one, meet `isSo`. */
async function untilAll(subscriptionId: string, isSo: (delivery: Delivery) => boolean): Promise<readonly Delivery[]> {
  let deliveries: readonly Delivery[] = [];
  await untilEvent(engine, async () => {
    ({ deliveries } = await deliveriesOf(subscriptionId));
    return deliveries.length > 0 && deliveries.every(isSo);
  });
  return deliveries.toReversed();
}

function assertDeclared(runId?: string): void {
  const { events } = engine.events.page(ann, { ...(runId !== undefined && { runId }), pageSize: 500 });
  for (const event of events) assert.deepEqual(eventSchema.parse(event), event);
}

before(async () => {
  writeFiles(root, { "catalog/networks/exit/exit.cwl": EXIT, "catalog/networks/pictures/pictures.cwl": PICTURES });
  await new Promise<void>((resolve) => void smtp.listen(0, "127.0.0.1", resolve));
  for (const caller of [ann, bob]) absentUsers.set(caller.principal, { caller, role: "runner" });
});

beforeEach(async () => {
  receiver = await WebhookReceiver.start();
  mails = [];
  await rm(join(root, "state"), { recursive: true, force: true });
  engine = await open();
});

afterEach(async () => {
  await engine.stop("detach");
  await receiver.close();
});

after(() => new Promise<void>((resolve) => smtp.close(() => resolve())));

describe("webhooks", () => {
  it("are signed, name the run and link to its page, and contain no inputs", async () => {
    const { subscription_id: id, secret } = await subscribe();
    const runId = await run(3, "Night\r\nBcc: eve@evil.example");
    const [delivery] = await settled(id);
    assert.deepEqual([delivery?.state, delivery?.run_id], ["delivered", runId]);
    const { headers, body } = receiver.received[0] ?? { headers: {}, body: "" };
    assert.equal(headers["webhook-id"], delivery?.delivery_id);
    const message = messageSchema.parse(new Webhook(secret ?? "").verify(body, headers as Record<string, string>));
    assert.equal(message.type, "run.failed");
    assert.equal(message.data.url, `https://weft.test/run/${runId}`);
    assert.ok(!body.includes("code"));
  });

  it("reach a receiver that fails, hangs and recovers at least once each and in order", async () => {
    receiver.reactions.push(500, "hang", 302, 429, 204);
    await reopen({ notifications: { webhooks: webhooks(["127.0.0.1"], 300), delaysMs: FAST } });
    const { subscription_id: id } = await subscribe();
    const runs = [await run(1), await run(2), await run(3)];
    const deliveries = await settled(id);
    assert.deepEqual(
      columns(deliveries, "state", "run_id"),
      runs.map((runId) => ["delivered", runId]),
    );
    assert.ok(receiver.received.length >= 7);
    const last = new Map(receiver.received.map(({ headers }, index) => [String(headers["webhook-id"]), index]));
    assert.equal(last.size, 3);
  });

  it("are sent by the next server if this one ends first", async () => {
    receiver.reactions.push("hang");
    const { subscription_id: id } = await subscribe();
    await run(1);
    await receiver.until(({ length }) => length === 1);
    await reopen();
    const [delivery] = await settled(id);
    assert.deepEqual([delivery?.state, delivery?.attempts], ["delivered", 1]);
    assert.equal(new Set(receiver.received.map(({ headers }) => headers["webhook-id"])).size, 1);
  });

  it("end when the receiver rejects them, or the owner may no longer use the server", async () => {
    receiver.reactions.push(410);
    const { subscription_id: id } = await subscribe();
    await run(1);
    assert.match((await settled(id))[0]?.error ?? "", /answered 410/);
    absentUsers.delete("ann");
    await run(1);
    assert.match((await settled(id))[1]?.error ?? "", /ann may no longer use/);
    absentUsers.set("ann", { caller: ann, role: "runner" });
    // Sent again, and a test.
    const [first] = await settled(id);
    await ask(engine, "POST /api/subscriptions/{subscription_id}/deliveries/{delivery_id}/resend", {
      caller: ann,
      params: { subscription_id: id, delivery_id: first?.delivery_id ?? "" },
    });
    await sendTest(id);
    assert.deepEqual(columns(await settled(id), "trigger", "state"), [
      ["failure", "delivered"],
      ["failure", "failed"],
      ["test", "delivered"],
    ]);
  });

  it("go to no private address that the administrator has not named, and to no other host", async () => {
    await reopen({ notifications: { webhooks: webhooks(["*"]) } });
    for (const url of ["http://127.0.0.1/x", "http://169.254.169.254/latest", "http://[::1]:8080/", "http://10.0.0.1/"])
      await assert.rejects(subscribe(url), { code: "invalid-body" });
    // A name that resolves to this machine is refused when it is looked up.
    const { subscription_id: id } = await subscribe("http://localhost:9/x");
    await sendTest(id);
    const [delivery] = await untilAll(id, ({ attempts }) => attempts > 0);
    assert.match(delivery?.error ?? "", /loopback address/);
    await reopen({ notifications: {} });
    await assert.rejects(subscribe(), { code: "conflict", message: /--webhook-hosts/ });
  });

  it("leave their secrets in one file that only this account reads", async () => {
    const { subscription_id: id, secret, target } = await subscribe();
    assert.match(secret ?? "", /^whsec_[A-Za-z0-9+/]{43}=$/);
    assert.ok(!target.includes("secret-of-the-hook"));
    const file = join(root, "state/subscriptions", `${id}.json`);
    assert.equal((await stat(file)).mode & 0o777, 0o600);
    const shown =
      JSON.stringify(await ask(engine, "GET /api/subscriptions", { caller: ann })) +
      JSON.stringify(engine.events.page(ann, {}));
    assert.ok(!shown.includes(secret ?? "") && !shown.includes("secret-of-the-hook"));
    await run(1);
    await settled(id);
    assertDeclared();
    await remove(id);
    await assert.rejects(readFile(file), { code: "ENOENT" });
    assert.deepEqual(await readdir(join(root, "state/subscriptions")), []);
  });
});

const readFeed = ({ subscription_id: id, feed_url: url }: CreatedSubscription, by = ann) => {
  const token = new URL(url ?? "").searchParams.get("token") ?? "";
  return askText(engine, "GET /api/feeds/{subscription_id}", { ...at(id, by), query: { token } });
};
const feedOf = (network: string, by = ann) =>
  askText(engine, "GET /api/networks/{id}/feed", { caller: by, params: { id: network } });

describe("samples that need review", () => {
  const NAMES = ["sub-1", "sub-2"];
  const runPictures = async (extension: string) => {
    const inputs = { names: NAMES, extension };
    const body = { network: "pictures", name: "Gallery", inputs, samples: { names: NAMES } };
    return (await runToEnd(engine, body, ann)).run_id;
  };

  it("are sent by webhook after the success of their run, by mail, and in the feed until all are reviewed", async () => {
    const shared = { name: "QC", scope: { network: "pictures" } };
    const triggers: Trigger[] = ["review-needed"];
    const [hook, mail, feed] = [
      await create({ ...shared, channel: "webhook", url: receiver.url, triggers: [...triggers, "success"] }),
      await create({ ...shared, channel: "email", email: "ann@lab.example", triggers }),
      await create({ ...shared, channel: "feed", triggers }),
    ];
    await runPictures("txt");
    const runId = await runPictures("png");
    const deliveries = await settled(hook.subscription_id);
    assert.deepEqual(columns(deliveries, "trigger", "state"), [
      ["success", "delivered"],
      ["success", "delivered"],
      ["review-needed", "delivered"],
    ]);
    const messages = receiver.received.map(({ body }) => messageSchema.parse(JSON.parse(body)));
    const { type, data } = messages.at(-1) ?? assert.fail("no message");
    assert.deepEqual([type, data.text], ["run.review-needed", '"Gallery" has samples to review.']);
    assert.equal(data.url, `https://weft.test/run/${runId}?tab=review`);
    assert.equal((await settled(mail.subscription_id)).length, 1);
    assert.match(mails[0]?.text ?? "", /tab=3Dreview|tab=review/);
    const entries = async () => (await readFeed(feed)).match(/<entry>/g)?.length ?? 0;
    assert.equal(await entries(), 1);
    const review = (sample_id: string, verdict: "pass" | null) =>
      ask(engine, "POST /api/runs/{run_id}/reviews", {
        caller: ann,
        params: { run_id: runId },
        body: { reviews: [{ sample_id, verdict }] },
      });
    await review("sub-1", "pass");
    assert.equal(await entries(), 1);
    await review("sub-2", "pass");
    assert.equal(await entries(), 0);
    assert.match(await feedOf("pictures"), /&quot;Gallery&quot; succeeded/);
    await review("sub-2", null);
    assert.equal(await entries(), 1);
    assertDeclared(runId);
  });
});

const MAIL = { channel: "email", name: "Me", scope: { owner: "ann" }, triggers: SUCCESS } as const;

describe("mails", () => {
  it("are plain text with one recipient for any name of a run", async () => {
    const { subscription_id: id } = await create({ ...MAIL, email: "ann@lab.example" });
    await run(0, "Night\r\nBcc: eve@evil.example\r\n\r\nHello");
    assert.equal((await settled(id))[0]?.state, "delivered");
    const [mail] = mails;
    assert.deepEqual(mail?.to, ["ann@lab.example"]);
    assert.ok(!/^Bcc:/im.test(mail?.text.split("\r\n\r\n")[0] ?? ""));
    assert.match(mail?.text ?? "", /^To: ann@lab\.example\r$/m);
  });

  it("go to allowed domains only", () =>
    assert.rejects(create({ ...MAIL, email: "eve@evil.example" }), { code: "invalid-body" }));
});

describe("feeds", () => {
  it("list the ended runs that their owner may see, for those who have the token", async () => {
    const feed = await create({ ...OF_EXIT, channel: "feed" });
    await run(1, '<b> & "ann"');
    await run(0, "fine");
    await run(1, "of bob", bob);
    const text = await readFeed(feed, bob);
    assert.match(text, /&quot;&lt;b&gt; &amp; &quot;ann&quot;&quot; failed/);
    assert.ok(!text.includes("fine") && !text.includes("of bob"));
    const wrongToken = { ...feed, feed_url: `${feed.feed_url}x` };
    await assert.rejects(readFeed(wrongToken), { code: "not-found" });
    assert.match(await feedOf("exit", bob), /of bob/);
    await assert.rejects(feedOf("none", bob), { code: "network-not-found" });
  });
});

describe("subscriptions", () => {
  it("belong to one person, as do their events with private runs", async () => {
    const { subscription_id: id } = await subscribe();
    assert.deepEqual((await ask(engine, "GET /api/subscriptions", { caller: bob })).subscriptions, []);
    for (const act of [remove, sendTest, deliveriesOf]) await assert.rejects(act(id, bob), { code: "not-found" });
    const types = (caller: Caller) => engine.events.page(caller, { pageSize: 500 }).events.map(({ type }) => type);
    assert.ok(types(ann).includes("subscription.created"));
    assert.ok(!types(bob).includes("subscription.created"));
    const ofAnn = create({ ...OF_EXIT, scope: { owner: "ann" }, channel: "webhook", url: receiver.url }, bob);
    await assert.rejects(ofAnn, { code: "forbidden" });
    const ofStranger = create({ ...OF_EXIT, channel: "feed" }, { ...bob, principal: "oidc:eve" });
    await assert.rejects(ofStranger, { code: "forbidden", message: /named token/ });
  });
});
