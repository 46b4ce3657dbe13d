import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { RunSecrets } from "../../secrets/run-secrets.ts";
import { fillRunName, parseRunName, retryName, runName } from "./run-name.ts";

const NOW = new Date(2026, 10, 3, 0, 5).getTime();
const [NONE, SOME] = [new RunSecrets(new Map()), new RunSecrets(new Map([["(secret)", "text"]]))];

interface Asked {
  readonly label?: string;
  readonly inputs?: readonly { readonly id: string; readonly default?: unknown }[];
  readonly values?: object;
  readonly samples?: Readonly<Record<string, readonly string[]>>;
  readonly secrets?: RunSecrets;
}

function nameOf({ label, inputs = [{ id: "a" }, { id: "b", default: 6 }], values = {}, ...rest }: Asked): string {
  const process = { ...(label === undefined ? {} : { label }), inputs };
  // The name depends only on these parts of a request.
  const request = { entry: { process, place: { id: "smooth" } }, values, samples: {}, secrets: NONE, ...rest };
  return runName(request as unknown as Parameters<typeof runName>[0], NOW);
}

describe("the name of a run", () => {
  const file = (fields: object) => ({ class: "File", ...fields });
  const cases: Readonly<Record<string, readonly [asked: Asked, name: string]>> = {
    "has the time if no name was given": [{}, "smooth, 3 Nov 00:05"],
    "has the label": [{ label: "Smooth it" }, "Smooth it, 3 Nov 00:05"],
    "counts samples once": [
      { samples: { x: ["s1", "s2"], y: ["s1", "s2"] }, values: { a: 1 } },
      "smooth, 2 samples, 3 Nov 00:05",
    ],
    "names the only sample": [{ samples: { x: ["s1"] } }, "smooth, s1, 3 Nov 00:05"],
    "names the first input": [{ values: { b: 7, a: "x" } }, "smooth, a x, 3 Nov 00:05"],
    "leaves out defaults": [{ values: { a: null, b: 6 } }, "smooth, 3 Nov 00:05"],
    "names what differs from its default": [{ values: { b: 7 } }, "smooth, b 7, 3 Nov 00:05"],
    "names a file": [
      { values: { a: file({ location: "file:///data/sub-01.nii" }) } },
      "smooth, sub-01.nii, 3 Nov 00:05",
    ],
    "names a file by its basename": [
      { values: { a: file({ basename: "x.nii", location: "data:,y" }) } },
      "smooth, x.nii, 3 Nov 00:05",
    ],
    "skips data and records": [
      { values: { a: file({ location: "data:,a b" }), b: { deep: 1 } } },
      "smooth, 3 Nov 00:05",
    ],
    "counts a list": [{ values: { a: [1, 2, 3] } }, "smooth, 3 a, 3 Nov 00:05"],
    "names the only element": [{ values: { a: [file({ basename: "x.nii" })] } }, "smooth, x.nii, 3 Nov 00:05"],
    "skips an empty list": [{ values: { a: [], b: 7 } }, "smooth, b 7, 3 Nov 00:05"],
    "says nothing of inputs next to a secret": [{ values: { a: "x" }, secrets: SOME }, "smooth, 3 Nov 00:05"],
    "has one line": [{ values: { a: "x\n\u202e y\u0000" } }, "smooth, a x y, 3 Nov 00:05"],
    "shortens values": [{ values: { a: "y".repeat(90) } }, `smooth, a ${"y".repeat(39)}…, 3 Nov 00:05`],
  };
  for (const [title, [asked, name]] of Object.entries(cases)) it(title, () => assert.equal(nameOf(asked), name));

  it("never exceeds the maximum length", () => {
    const long = {
      label: "l".repeat(500),
      values: { ["i".repeat(300)]: "v".repeat(300) },
      inputs: [{ id: "i".repeat(300) }],
    };
    assert.ok(nameOf(long).length <= 200);
  });
  it("names the original of a retry once", () => {
    assert.equal(retryName("Night"), "Retry of Night");
    assert.equal(retryName(retryName("Night")), "Retry of Night");
    assert.equal(retryName("n".repeat(200)).length, 200);
  });
});

const VALUES = {
  ...{ network: "Imaging cohort", id: "imaging-cohort", version: "1.0.0", "subject count": "6", subject: "6 samples" },
  ...{ owner: "ann", date: "2026-11-23", time: "18:05" },
};

const named = (text: string) => {
  const template = parseRunName(text);
  return typeof template === "string" ? template : fillRunName(template, VALUES);
};

it("a template is filled with facts about the run", () => {
  const cases: readonly (readonly [template: string, name: string])[] = [
    ["{network} {subject count} {date}", "Imaging cohort 6 2026-11-23"],
    ["{owner}/{id}@{version} {time}", "ann/imaging-cohort@1.0.0 18:05"],
    [" plain ", "plain"],
    ["{network} {nobody}", "cannot have the field {nobody}"],
    ["{__proto__}", "cannot have the field {__proto__}"],
    ["{constructor} {} {subject}", "cannot have the field {constructor}"],
    ["{network", 'has an unmatched brace in "{network"'],
  ];
  for (const [template, name] of cases) assert.equal(named(template), name);
});
