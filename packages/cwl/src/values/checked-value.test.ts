import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { CwlFailure } from "../cwl-failure.ts";
import { TEST_LIMITS } from "../testing/test-limits.ts";
import { checkedObject, checkedValue, checkObject, checkValue } from "./checked-value.ts";

const check = (raw: unknown, limits = TEST_LIMITS) => checkValue(raw, limits);
const problemsOf = (raw: unknown, limits = TEST_LIMITS) =>
  check(raw, limits).problems.map(({ pointer, message }) => `${pointer} ${message}`);
const nested = (levels: number): unknown => (levels === 0 ? 1 : [nested(levels - 1)]);

describe("checkValue", () => {
  const SOUND: readonly (readonly [string, unknown])[] = [
    ["scalars", [null, true, 1.5, "text", "", 2n ** 53n, 2n ** 63n - 1n, -(2n ** 63n)]],
    ["records, also with a `class` of their own", { a: { class: "other", basename: 7 } }],
    ["a File", { class: "File", location: "file:///a%20b", basename: "a\nb", size: 0, format: "x", extra: { a: 1 } }],
    ["a literal with members", { class: "Directory", basename: "d", listing: [{ class: "File", contents: "" }] }],
    ["an address that has no scheme yet", { class: "File", location: "a%2fb", path: "x/../y" }],
  ];
  for (const [what, raw] of SOUND)
    test(`returns ${what} unchanged`, () => {
      const { value, problems } = check(raw);
      assert.deepEqual(problems, []);
      assert.equal(value, raw);
    });

  test("drops null fields of a File without changing the original value", () => {
    const raw = { list: [1, { class: "File", location: "x", basename: null, secondaryFiles: null, extra: null }, 2] };
    const { value, problems } = check(raw);
    assert.deepEqual(problems, []);
    assert.deepEqual(value, { list: [1, { class: "File", location: "x", extra: null }, 2] });
    assert.equal(raw.list.length, 3);
  });

  const file = (fields: object) => ({ class: "File", location: "x", ...fields });
  const directory = (fields: object) => ({ class: "Directory", ...fields });
  const bad = { class: "File", basename: "../x", contents: "" };
  const NAME = "cannot be the name of a";
  const WRONG: Readonly<Record<string, readonly [unknown, readonly string[]]>> = {
    "a name that leaves the directory": [bad, [`/basename \`../x\` ${NAME} File`]],
    "an empty name": [file({ basename: "" }), [`/basename \`\` ${NAME} File`]],
    "a name that is the directory above": [directory({ basename: ".." }), [`/basename \`..\` ${NAME} Directory`]],
    "a name with a NUL": [file({ basename: "a\0" }), [`/basename \`a\\u0000\` ${NAME} File`]],
    "a name with half a character": [file({ basename: "\ud800" }), [`/basename \`\ufffd\` ${NAME} File`]],
    "a number for a name": [file({ basename: 1 }), ["/basename `basename` must be a string"]],
    "an object for a location": [file({ location: {} }), ["/location `location` must be a string"]],
    "a list for a path": [file({ path: [] }), ["/path `path` must be a string"]],
    "a number for a format": [file({ format: 1 }), ["/format `format` must be a string"]],
    "a number for contents": [file({ contents: 1 }), ["/contents `contents` must be a string"]],
    "a number for a checksum": [file({ checksum: 1 }), ["/checksum `checksum` must be a string"]],
    "a boolean for a root": [file({ nameroot: true }), ["/nameroot `nameroot` must be a string"]],
    "a text for a size": [file({ size: "1" }), ["/size `size` must be a number of bytes"]],
    "a negative size": [file({ size: -1 }), ["/size `size` must be a number of bytes"]],
    "a broken size": [file({ size: 0.5 }), ["/size `size` must be a number of bytes"]],
    "a File for secondary files": [
      file({ secondaryFiles: bad }),
      ["/secondaryFiles `secondaryFiles` must be a list of File and Directory objects"],
    ],
    "a text and a record among secondary files": [
      file({ secondaryFiles: ["x", { class: "Fil" }, file({})] }),
      [
        "/secondaryFiles/0 this must be a File or Directory object",
        "/secondaryFiles/1 this must be a File or Directory object",
      ],
    ],
    "null in a listing": [directory({ listing: [null] }), ["/listing/0 this must be a File or Directory object"]],
    "a wrong File among secondary files": [
      file({ secondaryFiles: [bad] }),
      [`/secondaryFiles/0/basename \`../x\` ${NAME} File`],
    ],
    "a wrong File in a listing of a listing": [
      directory({ listing: [directory({ listing: [bad] })] }),
      [`/listing/0/listing/0/basename \`../x\` ${NAME} File`],
    ],
    "a wrong File in a record in a list": [[{ "a/b": bad }], [`/0/a~1b/basename \`../x\` ${NAME} File`]],
    "a wrong File in a field of a File": [file({ extra: [bad] }), [`/extra/0/basename \`../x\` ${NAME} File`]],
    "a wrong File in the listing of a File": [file({ listing: [bad] }), [`/listing/0/basename \`../x\` ${NAME} File`]],
    "an address with an escaped slash": [
      file({ location: "file:///a%2Fb" }),
      ["/location `file:///a%2Fb` has a wrong percent escape"],
    ],
    "an address of another machine": [
      file({ location: "file://other/a" }),
      ["/location `file://other/a` names a file of another machine (`other`)"],
    ],
    "a path with a NUL": [file({ path: "a\0b" }), ["/path `path` contains a NUL character"]],
    "a number without end": [[Number.POSITIVE_INFINITY], ["/0 a number must be finite"]],
    "values that are not JSON": [
      { a: () => 1, b: undefined, c: 1n, d: 2n ** 63n },
      ["/a", "/b", "/c", "/d"].map((place) => `${place} this is not a JSON value`),
    ],
    "a prototype": [JSON.parse('{"a": {"__proto__": {"x": 1}}}'), ["/a/__proto__ a field cannot have this name"]],
  };
  for (const [what, [raw, expected]] of Object.entries(WRONG))
    test(`refuses ${what}`, () => assert.deepEqual(problemsOf(raw), expected));

  test("omits invalid fields of a File", () => {
    const { value } = check({ class: "File", location: "x", basename: "a/b", size: "1", secondaryFiles: [1] });
    assert.deepEqual(value, { class: "File", location: "x" });
  });

  test("refuses values nested deeper than the limit, without a stack overflow", () => {
    assert.deepEqual(problemsOf(nested(256)), []);
    assert.deepEqual(problemsOf(nested(4), { ...TEST_LIMITS, valueDepth: 2 }), [
      "/0/0/0 the nesting of the value exceeds the limit of 2 (value-depth)",
    ]);
    const deep = JSON.parse(`${"[".repeat(200_000)}${"]".repeat(200_000)}`);
    assert.equal(problemsOf(deep).length, 1);
    const listing = JSON.parse(`${'{"class":"Directory","listing":['.repeat(50_000)}${"]}".repeat(50_000)}`);
    assert.equal(problemsOf(listing).length, 1);
  });

  test("counts values, and stops at the limit", () => {
    const limits = { ...TEST_LIMITS, valueItems: 4 };
    assert.deepEqual(problemsOf([1, { a: 1, b: 2 }], limits), []);
    assert.deepEqual(problemsOf([1, { a: [1], b: 2 }], limits), [
      "/1/a the number of values exceeds the limit of 4 (value-items)",
    ]);
  });

  test("measures names in bytes of UTF-8", () => {
    assert.deepEqual(problemsOf(file({ basename: "é".repeat(127) })), []);
    const [problem] = problemsOf(file({ basename: "é".repeat(128) }));
    assert.match(problem ?? "", /^\/basename the length of the name .* exceeds the limit of 255 \(name-bytes\)$/);
  });

  test("keeps the first 1,000 problems", () =>
    assert.equal(problemsOf(Array.from({ length: 50_000 }, () => bad)).length, 1000));
});

test("an input object is not a File, even if its inputs have such names", () => {
  const raw = { class: "File", basename: "../x", file: { class: "File", basename: "../y" } };
  const { values, problems } = checkObject(raw, TEST_LIMITS);
  assert.equal(values["basename"], "../x");
  assert.equal(problems.map(({ pointer }) => pointer).join(" "), "/file/basename");
});

test("checkedValue and checkedObject fail with the path, and limits with their own code", () => {
  const origin = { limits: TEST_LIMITS, code: "OUTPUT_INVALID", place: "outputs.o" } as const;
  const failure = (work: () => unknown): readonly unknown[] => {
    try {
      return [work()];
    } catch (error) {
      return error instanceof CwlFailure ? [error.code, error.place, error.message] : [error];
    }
  };
  const two = [
    { class: "File", basename: "a/b" },
    { class: "File", basename: "a/b" },
  ];
  assert.deepEqual(
    failure(() => checkedValue(two, origin)),
    ["OUTPUT_INVALID", "outputs.o", "/0/basename: `a/b` cannot be the name of a File (and 1 more)"],
  );
  assert.deepEqual(failure(() => checkedObject({ o: nested(300) }, origin)).slice(0, 2), [
    "LIMIT_EXCEEDED",
    "outputs.o",
  ]);
  const found = failure(() => checkedObject([], origin));
  assert.deepEqual(found, ["OUTPUT_INVALID", "outputs.o", "expected one JSON object"]);
  assert.equal(checkedValue(7, origin), 7);
});

test("a message shows the first and last parts of a long pointer", () => {
  const origin = { limits: TEST_LIMITS, code: "OUTPUT_INVALID" } as const;
  const message = (raw: object) => {
    try {
      return String(checkedObject(raw, origin));
    } catch (error) {
      return error instanceof CwlFailure ? error.message : String(error);
    }
  };
  const deep = message({ out: nested(300) });
  assert.match(
    deep,
    /^\/out(\/0){1,30}\/…(\/0){1,20}: the nesting of the value exceeds the limit of 256 \(value-depth\)/,
  );
  assert(deep.length < 200, deep);
  const long = message({ ["n".repeat(10_000)]: { class: "File", basename: "a/b" } });
  assert.match(long, /^\/n{59}\/…\/basename: `a\/b` cannot be the name of a File$/);
});
