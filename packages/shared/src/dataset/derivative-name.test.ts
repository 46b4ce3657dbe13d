import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { bidsSource, bidsUri, commonFields, linkName } from "./bids-source.ts";
import { derivativePath, extensionOf, isStandardName, parseDerivative } from "./derivative-name.ts";
import { readBidsName } from "./read-bids-name.ts";

const sourceOf = (path: string) => bidsSource(`weft-data://study/${path}`) ?? assert.fail(`${path} is not a source`);
const T1W = sourceOf("sub-01/ses-2/anat/sub-01_ses-2_acq-high_T1w.nii.gz");
const BOLD = sourceOf("sub-01/ses-2/func/sub-01_ses-2_task-rest_run-1_bold.nii");
const ECHO = sourceOf("sub-01/ses-2/func/sub-01_ses-2_task-rest_run-1_echo-2_bold.nii");
const OTHER_ECHO = sourceOf("sub-01/ses-2/func/sub-01_ses-2_task-rest_run-1_echo-3_bold.nii");

function pathOf(text: string, sources = [T1W], basename = "out.nii.gz"): string {
  const template = parseDerivative(text);
  if (typeof template === "string") return template;
  const path = derivativePath(template, commonFields(sources), basename);
  return typeof path === "string" ? path : path.join("/");
}

describe("a name in a derivative dataset", () => {
  const CASES: Readonly<Record<string, readonly [string, string]>> = {
    "takes the suffix of the source": [
      pathOf("bids://r/brains/desc-smooth"),
      "brains/sub-01/ses-2/anat/sub-01_ses-2_acq-high_desc-smooth_T1w.nii.gz",
    ],
    "has entities in the order of BIDS": [
      pathOf("bids://r/desc-brain_space-MNI_acq-low_mask"),
      "sub-01/ses-2/anat/sub-01_ses-2_acq-low_space-MNI_desc-brain_mask.nii.gz",
    ],
    "can be in a folder below others, with its own data type and extension": [
      pathOf("bids://r/a/b c/func/desc-x_timeseries.tsv"),
      "a/b c/sub-01/ses-2/func/sub-01_ses-2_acq-high_desc-x_timeseries.tsv",
    ],
    "has the entities in which the files of a sample do not differ": [
      pathOf("bids://r/x/desc-mean", [ECHO, OTHER_ECHO]),
      "x/sub-01/ses-2/func/sub-01_ses-2_task-rest_run-1_desc-mean_bold.nii.gz",
    ],
    "has entities that only some files have": [
      pathOf("bids://r/x/func/desc-x_bold", [T1W, BOLD]),
      "x/sub-01/ses-2/func/sub-01_ses-2_task-rest_acq-high_run-1_desc-x_bold.nii.gz",
    ],
    "needs a suffix for different files": [pathOf("bids://r/x/func/desc-x", [T1W, BOLD]), "needs a suffix"],
    "needs a data type for different files": [pathOf("bids://r/x/desc-x_bold", [T1W, BOLD]), "needs a data type"],
    "needs an extension": [pathOf("bids://r/x/mask", [T1W], "out"), "needs an extension"],
    "needs one subject": [
      pathOf("bids://r/x/mask", [T1W, sourceOf("sub-02/anat/sub-02_T1w.nii")]),
      "has no subject: the files of the sample are those of several subjects",
    ],
  };
  for (const [name, [actual, expected]] of Object.entries(CASES))
    it(name, () => assert.equal(actual.slice(0, expected.length), expected));

  for (const text of [
    "bids://r",
    "bids:///mask",
    "bids://r/x/",
    "bids://r/x/_",
    "bids://r/x/-_mask",
    "bids://r/x/desc-a_desc-b_mask",
    "bids://r/x/desc-ä_mask",
    "bids://r/x/datatype-anat_mask",
    "bids://r/x/__proto__-1_mask",
    "bids://r/x/ses-1_mask",
    "bids://r/.hidden/mask",
    "bids://r/../mask",
    "bids://r//mask",
    "bids://r/sub-01/mask",
    "bids://r/{run_id}/mask",
    `bids://r/${"x".repeat(200)}/mask`,
    "vfs://r/x/mask",
  ])
    it(`cannot be made of ${text.slice(0, 60)}`, () => assert.equal(typeof parseDerivative(text), "string"));

  it("is a name that Weft can parse", () => {
    const path = pathOf("bids://r/desc-brain_mask");
    const read = readBidsName(path);
    assert.ok("fields" in read);
    assert.deepEqual([read.fields["desc"], read.fields["suffix"], read.fields["datatype"]], ["brain", "mask", "anat"]);
  });
});

describe("the source of a sample", () => {
  it("is found by its location, with the dataset above the first subject", () => {
    const source = bidsSource("weft-data://data/my%20study/sub-A1/anat/sub-A1_T1w.nii");
    assert.equal(source?.dataset, "weft-data://data/my%20study/");
    assert.equal(source && bidsUri(source), "bids:data-my-20study:sub-A1/anat/sub-A1_T1w.nii");
    assert.equal(linkName("weft-data://study/"), "study");
  });
  for (const location of ["weft-data://study/a.nii", "sub-01/a", "weft-data://s/sub-01/anat/%ZZ_T1w.nii", ""])
    it(`is none for "${location}"`, () => assert.equal(bidsSource(location), undefined));
});

it("extensions of two parts stay together, and dots in names are ignored", () => {
  const names = ["a.v2.nii.gz", "b.1.surf.gii", "c.dtseries.nii", "d.v2.csv", "e.tsv.gz", "f.ome.tif", "g"];
  assert.deepEqual(names.map(extensionOf), [
    ".nii.gz",
    ".surf.gii",
    ".dtseries.nii",
    ".csv",
    ".tsv.gz",
    ".ome.tif",
    "",
  ]);
});

it("names that are not part of BIDS are detected", () => {
  assert.ok(isStandardName({ suffix: "mask", extension: ".nii.gz" }));
  assert.ok(!isStandardName({ suffix: "mask", extension: ".png" }));
  assert.ok(!isStandardName({ suffix: "drawing", extension: ".nii" }));
});
