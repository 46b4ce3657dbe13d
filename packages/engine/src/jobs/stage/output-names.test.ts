import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { FileValue } from "@weft/cwl/model/cwl-value.ts";
import { safeName } from "@weft/cwl/model/safe-name.ts";
import { OutputNames } from "./output-names.ts";

let count = 0;
const file = (name: string, ...secondary: readonly FileValue[]): FileValue => ({
  class: "File",
  location: `file:///job-${++count}/${name}`,
  basename: safeName(name),
  ...(secondary.length === 0 ? {} : { secondaryFiles: secondary }),
});
const namesOf = (names: OutputNames, value: FileValue) => [...names.ofFile(value).values()] as readonly string[];

describe("OutputNames", () => {
  const CASES: readonly (readonly [pattern: string, names: readonly string[], second: readonly string[]])[] = [
    [".idx", ["out.txt", "out.txt.idx"], ["out_2.txt", "out_2.txt.idx"]],
    [".bai and ^.bai", ["a.b.bam", "a.b.bam.bai", "a.b.bai"], ["a.b_2.bam", "a.b_2.bam.bai", "a.b_2.bai"]],
    [".fai and ^.dict", ["ref.fa", "ref.fa.fai", "ref.dict"], ["ref_2.fa", "ref_2.fa.fai", "ref_2.dict"]],
    ["^^.tbi", ["v.vcf.gz", "v.tbi", "v.vcf.gz.md5"], ["v_2.vcf.gz", "v_2.tbi", "v_2.vcf.gz.md5"]],
    ["of a file without ending", ["data", "data.idx"], ["data_2", "data_2.idx"]],
    ["of a hidden file", [".x", ".x.idx"], [".x_2", ".x_2.idx"]],
    ["an expression", ["im.hdr", "im-mask.img"], ["im_2.hdr", "im_2-mask.img"]],
    ["an unrelated name", ["a.txt", "all.idx"], ["a_2.txt", "all_2.idx"]],
  ];
  for (const [pattern, [name = "", ...secondary], second] of CASES)
    it(`numbers a file and its secondary files alike: ${pattern}`, () => {
      const names = new OutputNames();
      const group = () => file(name, ...secondary.map((each) => file(each)));
      assert.deepEqual(namesOf(names, group()), [name, ...secondary]);
      assert.deepEqual(namesOf(names, group()), second);
    });

  it("numbers the file too if only the name of its secondary file is in use", () => {
    const names = new OutputNames();
    namesOf(names, file("x.bam", file("x.bai")));
    assert.deepEqual(namesOf(names, file("x.cram", file("x.bai"))), ["x_2.cram", "x_2.bai"]);
  });

  it("keeps the names of a file that several outputs refer to", () => {
    const names = new OutputNames();
    const [one, two] = [file("x.txt", file("x.txt.idx")), file("x.txt", file("x.txt.idx"))];
    namesOf(names, one);
    assert.deepEqual(namesOf(names, two), ["x_2.txt", "x_2.txt.idx"]);
    assert.deepEqual(namesOf(names, structuredClone(two)), ["x_2.txt", "x_2.txt.idx"]);
    assert.deepEqual(namesOf(names, one), ["x.txt", "x.txt.idx"]);
  });

  it("keeps both names of a file that has two", () => {
    const names = new OutputNames();
    const renamed = (value: FileValue): FileValue => ({ ...value, basename: safeName("y.txt") });
    const [one, two, other] = [file("x.txt"), file("x.txt"), file("y.txt")];
    for (let time = 0; time < 2; time++) {
      const given = [one, two, other, renamed(one), renamed(two)].map((value) => namesOf(names, value)[0]);
      assert.deepEqual(given, ["x.txt", "x_2.txt", "y.txt", "y_2.txt", "y_3.txt"]);
    }
  });

  it("numbers secondary files of secondary files, and shortens long names alike", () => {
    const names = new OutputNames();
    const long = "é".repeat(120);
    const group = () => file(`${long}.bam`, file(`${long}.bam.bai`, file(`${long}.bam.bai.md5`)));
    namesOf(names, group());
    const [main = "", index = "", sum = ""] = namesOf(names, group());
    assert.deepEqual([index, sum], [`${main}.bai`, `${main}.bai.md5`]);
    assert.ok(Buffer.byteLength(sum) <= 255 && main.endsWith("_2.bam"));
  });

  it("never gives the name of a file that must stay", () => {
    const names = new OutputNames(["file:///here/x.txt"]);
    assert.deepEqual(namesOf(names, file("x.txt")), ["x_2.txt"]);
    const same: FileValue = { class: "File", location: "file:///here/x.txt", basename: safeName("x.txt") };
    assert.deepEqual(namesOf(names, same), ["x.txt"]);
  });

  it("stays fast for thousands of files of one name", () => {
    const names = new OutputNames();
    for (let index = 0; index < 20_000; index += 1) names.ofFile(file("x.txt", file("x.txt.idx")));
    assert.deepEqual(namesOf(names, file("x.txt")), ["x_20001.txt"]);
  });
});
