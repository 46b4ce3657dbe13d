import assert from "node:assert/strict";
import { test } from "node:test";
import {
  extendDescription,
  extendParticipants,
  readDerivativeDescription,
  type DerivativeFacts,
} from "./dataset-texts.ts";

const FACTS: DerivativeFacts = {
  label: "Brains",
  generators: [
    { Name: "brains", Version: "2.0.0" },
    { Name: "Weft", Version: "1" },
  ],
  sources: [{ address: "weft-data://study/", description: {} }],
};

test("a complete description stays unchanged", () => {
  const first = extendDescription(undefined, FACTS);
  assert.deepEqual(extendDescription(first, FACTS), first);
  assert.equal(first["Name"], "Brains");
});

test("another version and another source are added", () => {
  const first = extendDescription(undefined, FACTS);
  const second = extendDescription(first, {
    ...FACTS,
    generators: [{ Name: "brains", Version: "3.0.0" }],
    sources: [{ address: "weft-data://other/", description: { Name: "Other", DatasetDOI: "doi:10.1/x" } }],
  });
  assert.equal((second["GeneratedBy"] as unknown[]).length, 3);
  assert.deepEqual(second["SourceDatasets"], [
    { URL: "weft-data://study/" },
    { URL: "weft-data://other/", DOI: "doi:10.1/x" },
  ]);
  assert.deepEqual(second["DatasetLinks"], { study: "weft-data://study/", other: "weft-data://other/" });
  assert.equal(second["Name"], "Brains");
});

for (const [text, expected] of [
  ["[]", /not a JSON object/],
  ["{", /not a JSON object/],
  ["null", /not a JSON object/],
  ["{}", /of the type raw/],
  ['{"DatasetType": ["derivative"]}', /of the type/],
] as const)
  test(`a dataset with the description ${text} is not extended`, () =>
    assert.match(String(readDerivativeDescription(text)), expected));

test("fields of a description with other types do no harm", () => {
  const odd = { DatasetType: "derivative", GeneratedBy: "me", SourceDatasets: 3, DatasetLinks: ["x"] };
  const { GeneratedBy, SourceDatasets, DatasetLinks } = extendDescription(odd, FACTS);
  assert.deepEqual([GeneratedBy, SourceDatasets], [FACTS.generators, [{ URL: "weft-data://study/" }]]);
  assert.deepEqual(DatasetLinks, { study: "weft-data://study/" });
});

const SOURCE = "participant_id\tage\tsex\nsub-01\t30\tF\nsub-02\tn/a\tM\nsub-03\t9\tF\n";
const PARTICIPANTS: Readonly<
  Record<string, readonly [string | undefined, string, readonly string[], string | undefined]>
> = {
  "begins a table": [undefined, SOURCE, ["sub-02"], "participant_id\tage\tsex\nsub-02\tn/a\tM\n"],
  "adds rows": [
    "participant_id\tsex\nsub-01\tF",
    SOURCE,
    ["sub-01", "sub-03"],
    "participant_id\tsex\nsub-01\tF\nsub-03\tF\n",
  ],
  "has nothing to add": ["participant_id\nsub-01\n", SOURCE, ["sub-01"], undefined],
  "reads line ends of Windows": [
    undefined,
    SOURCE.replaceAll("\n", "\r\n"),
    ["sub-01"],
    "participant_id\tage\tsex\nsub-01\t30\tF\n",
  ],
  "stays unchanged if it has other columns": ["subject\n1\n", SOURCE, ["sub-01"], undefined],
  "is not created from a source without participants": [undefined, "", ["sub-01"], undefined],
  "is not created from a source with other columns": [
    undefined,
    "age\tparticipant_id\n1\tsub-01\n",
    ["sub-01"],
    undefined,
  ],
};
for (const [name, [known, source, subjects, expected]] of Object.entries(PARTICIPANTS))
  test(`a table of participants ${name}`, () =>
    assert.equal(extendParticipants(known, source, new Set(subjects)), expected));
