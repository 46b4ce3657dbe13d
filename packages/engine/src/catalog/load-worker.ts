import { loadDocument } from "@weft/cwl/document/load-document.ts";
import { NotUtf8 } from "@weft/cwl/values/decode-utf8.ts";
import { Gate } from "../async/gate.ts";
import { askServer, inThread } from "../async/own-thread.ts";
import { packedText, type ReadText, type ThreadDocument } from "./load-fairly.ts";

/** The thread may ask one question at a time. */
const gate = new Gate(1);

// Started by load-fairly.ts.
await inThread(async (uri: string): Promise<ThreadDocument> => {
  const reader = { read: async (asked: string) => gate.pass(async () => readText(asked)) };
  const loaded = await loadDocument(uri, { reader });
  const packed = { ...loaded, packed: packedText(loaded) };
  return { loaded: packed, bare: [...bareObjects(packed)] };
});

async function readText(asked: string): Promise<string | undefined> {
  // `loadInThread` answers every question with a ReadText.
  const { text, notUtf8 } = (await askServer(asked)) as ReadText;
  if (notUtf8 !== undefined) throw Object.assign(Object.create(NotUtf8.prototype), notUtf8);
  return text;
}

/** All objects without a prototype in a value. */
function bareObjects(root: unknown): ReadonlySet<object> {
  const [found, seen, open] = [new Set<object>(), new Set<unknown>(), [root]];
  for (const value of open) {
    if (typeof value !== "object" || value === null || seen.has(value)) continue;
    seen.add(value);
    if (Object.getPrototypeOf(value) === null) found.add(value);
    open.push(...(value instanceof Map ? value.values() : Object.values(value)));
  }
  return found;
}
