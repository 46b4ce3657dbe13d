import { oddForm } from "./fuzz-forms.ts";
import { longHeader, oddQuery } from "./fuzz-queries.ts";
import type { FuzzedRequest } from "./fuzz-request.ts";
import { NASTY_TEXTS, wordsOf, type ValueOptions } from "./fuzz-values.ts";
import type { Random } from "./random.ts";

type Attack = (options: ValueOptions) => FuzzedRequest;

/** Requests that each aim at one weakness: a schema alone would hardly ever produce them. */
export function attackRequest(options: ValueOptions): FuzzedRequest {
  return options.random.pick(ATTACKS)(options);
}

const ATTACKS: readonly Attack[] = [
  ...[oddForm, oddForm, oddForm, wrongTypes, wrongTypes, wrongTypes, hostileFile, hostileFile, hostileFile],
  ...[hugeValue, scatterBomb, oddQuery, longHeader],
];

/** Runs of documents in the catalog for fuzzing, with all their inputs. */
const RUNS: readonly Record<string, unknown>[] = [
  { network: "practice-load", inputs: { count: 1, seconds: 0 } },
  { tool: "anything", inputs: { value: "x", text: "x" } },
  { network: "crossed", inputs: { a: ["x"], b: ["x"], c: ["x"] } },
  { network: "dotted", inputs: { a: ["x"], b: ["x"] } },
  { tool: "smooth", inputs: { image: { class: "File", location: "weft-data://catalog/data/x.nii" } } },
];

/** Most requests only ask for a plan: the server refuses a bad run before it plans or creates it. */
function runRequest(random: Random, body: unknown): FuzzedRequest {
  const target = random.isBelow(0.8) ? "/api/plans" : "/api/runs";
  return { method: "POST", target, headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
}

const FILE_TEXTS: readonly string[] = [
  ...wordsOf(`
    ../../../../tokens/mallory.json .. . a/b /etc/passwd -rf file:///etc/shadow file:///proc/self/environ
    file://localhost/etc/passwd weft-data://runs/../tokens weft-data://catalog/data/ weft-data://uploads/x/y
    http://127.0.0.1:1/x http://user:pass@[::1]/?pwd=x data:text/plain,hello data:;base64,! _:b0 #main form:none
`),
  "",
  "a\\b",
  "a\0b",
  "a\nb",
  "n".repeat(300),
  "\ud800",
];

const FILE_FIELDS = wordsOf(`
  location path basename nameroot nameext dirname contents format checksum size secondaryFiles listing metadata __proto__
`);

/** A File or Directory with hostile fields, and others inside it. */
function evilFile(random: Random, depth = 0): unknown {
  const fields = FILE_FIELDS.filter(() => random.isBelow(0.35)).map((field) => {
    const isList = field === "secondaryFiles" || field === "listing";
    if (isList && depth < 3 && random.isBelow(0.7))
      return [field, Array.from({ length: random.below(3) }, () => evilFile(random, depth + 1))] as const;
    return [field, random.isBelow(0.7) ? random.pick(FILE_TEXTS) : wrongType(random)] as const;
  });
  return Object.fromEntries([["class", random.pick(["File", "Directory", "file", 5])], ...fields]);
}

/** Puts a hostile file wherever a value can be: in a declared input, an undeclared one, a list, a record, deep inside. */
function hostileFile({ random }: ValueOptions): FuzzedRequest {
  const run = random.pick(RUNS);
  const evil = evilFile(random);
  const placed = random.pick([evil, [evil], { record: evil }, { a: { b: [{ c: evil }] } }, [[evil, evil]]]);
  const names = Object.keys(run["inputs"] as object); // every entry of the table has inputs
  const name = random.pick(["undeclared", names[0] ?? "x", names.at(-1) ?? "x"]);
  return runRequest(random, { ...run, inputs: { ...(run["inputs"] as object), [name]: placed } });
}

function wrongType(random: Random): unknown {
  const numbers = [0, -1, 1.5, 1e308];
  const others = [true, null, [], {}, [[]], [null], { class: 5 }, "", random.pick(NASTY_TEXTS)];
  return random.pick<unknown>([...numbers, ...others, Number.MAX_SAFE_INTEGER]);
}

/** A valid body in which one value, anywhere, has another type. */
function wrongTypes({ random }: ValueOptions): FuzzedRequest {
  const full = {
    ...random.pick(RUNS),
    name: "fuzz",
    tags: { a: "b" },
    version: "1.0.0",
    samples: [{ id: "s1", values: { value: "x" } }],
    options: { cache: "use", retries: 1, max_parallel_jobs: 2, keep_intermediate: "always", sinks: [{ name: "x" }] },
  };
  // A field that a schema does not know makes the whole body invalid, so fields are left out at random.
  const kept = Object.fromEntries(
    Object.entries(full).filter(([name]) => ["network", "tool", "inputs"].includes(name) || random.isBelow(0.3)),
  );
  return runRequest(random, replaceOne(kept, random));
}

function replaceOne(value: unknown, random: Random): unknown {
  if (typeof value !== "object" || value === null || random.isBelow(0.2)) return wrongType(random);
  const names = Object.keys(value);
  if (names.length === 0) return wrongType(random);
  const chosen = random.pick(names);
  const entries = Object.entries(value).map(
    ([key, item]) => [key, key === chosen ? replaceOne(item, random) : item] as const,
  );
  return Array.isArray(value) ? entries.map(([, item]) => item) : Object.fromEntries(entries);
}

function hugeValue({ random }: ValueOptions): FuzzedRequest {
  const huge = random.pick([
    Array.from({ length: 20_000 }, () => 0),
    Array.from({ length: 2_000 }, () => ({ class: "File", location: "weft-data://catalog/none" })),
    Array.from({ length: 300 }, () => Array.from({ length: 30 }, () => "x")),
    Array.from({ length: 130_000 }, () => 1),
    { a: Array.from({ length: 130_000 }, () => 1) },
    Object.fromEntries(Array.from({ length: 3_000 }, (_, index) => [`k${index}`, index])),
    ...["DEEP25", "DEEP300", "DEEP5000"],
    "x".repeat(300_000),
    nestedFile(60),
  ]);
  const run = random.pick(RUNS);
  const names = Object.keys(run["inputs"] as object); // every entry of the table has inputs
  const body = random.pick([
    { ...run, inputs: { ...(run["inputs"] as object), [names[0] ?? "x"]: huge } },
    { ...run, inputs: huge },
    { ...run, tags: huge },
    { ...run, name: huge },
    { ...run, samples: huge },
    huge,
  ]);
  return { ...runRequest(random, null), body: deepText(JSON.stringify(body)) };
}

function nestedFile(levels: number): unknown {
  let value: unknown = { class: "File", location: "weft-data://catalog/none" };
  for (let level = 0; level < levels; level++) value = { class: "Directory", basename: "d", listing: [value] };
  return value;
}

/** Replaces placeholders with deep values, on which JSON.stringify would fail. */
function deepText(text: string): string {
  return text.replace(
    /"DEEP(\d+)"/g,
    (_, levels: string) => '[{"a":'.repeat(Number(levels)) + "0" + "}]".repeat(Number(levels)),
  );
}

function scatterBomb({ random }: ValueOptions): FuzzedRequest {
  const list = (length: number) => Array.from({ length }, (_, index) => String(index));
  const length = random.pick([0, 1, 60, 1_000, 5_000]);
  return runRequest(
    random,
    random.pick<Record<string, unknown>>([
      { network: "crossed", inputs: { a: list(length), b: list(length), c: list(length) } },
      { network: "crossed", inputs: { a: list(length), b: [], c: list(1) } },
      { network: "dotted", inputs: { a: list(length), b: list(random.pick([length, 3])) } },
      { network: "practice-load", inputs: { count: random.pick([200, 1e6, 1e15, -1]), seconds: 0 } },
    ]),
  );
}
