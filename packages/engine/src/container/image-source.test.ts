import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { DockerRequirement } from "@weft/cwl/model/requirement.ts";
import { imageName, imageSource, pinnedReference, qualifiedReference } from "./image-source.ts";

type Fields = Omit<DockerRequirement, "class">;

describe("imageSource", () => {
  const cases: readonly [Fields, RegExp, object][] = [
    [{ dockerPull: "a:1" }, /^a:1$/, { from: "pull", reference: "a:1" }],
    [{ dockerPull: "a:1", dockerImageId: "b" }, /^b$/, { from: "pull", reference: "a:1" }],
    [{ dockerImageId: "b" }, /^b$/, { from: "nowhere" }],
    [{ dockerLoad: "/i.tar" }, /^localhost\/weft-load:[0-9a-f]{16}$/, { from: "load", address: "/i.tar" }],
    [{ dockerImport: "file:///a%20b", dockerImageId: "b" }, /^b$/, { from: "import", address: "/a b" }],
    [{ dockerFile: "FROM a" }, /^localhost\/weft-build:[0-9a-f]{16}$/, { from: "build", dockerfile: "FROM a" }],
  ];
  for (const [fields, name, origin] of cases)
    it(`reads ${JSON.stringify(fields)}`, () => {
      const source = imageSource({ class: "DockerRequirement", ...fields });
      assert.match(source.name, name);
      assert.deepEqual(source.origin, origin);
    });

  const refused: readonly [Fields, RegExp][] = [
    [{}, /does not name an image/],
    [{ dockerLoad: "image.tar" }, /neither an http\(s\) URL nor an absolute path/],
  ];
  for (const [fields, message] of refused)
    it(`refuses ${JSON.stringify(fields)}`, () =>
      assert.throws(() => imageSource({ class: "DockerRequirement", ...fields }), { code: "INPUT_INVALID", message }));
});

describe("imageName", () => {
  const cases: readonly [Fields, string][] = [
    [{ dockerPull: "a:1", dockerImageId: "b" }, "b"],
    [{ dockerPull: "a:1" }, "a:1"],
    [{ dockerLoad: "/i.tar" }, "/i.tar"],
    [{ dockerFile: "FROM a" }, "built from dockerFile"],
  ];
  for (const [fields, expected] of cases)
    it(`calls ${JSON.stringify(fields)} ${expected}`, () =>
      assert.equal(imageName({ class: "DockerRequirement", ...fields }), expected));
});

describe("qualifiedReference", () => {
  const cases: readonly [string, string][] = [
    ["debian", "docker.io/library/debian"],
    ["debian:12", "docker.io/library/debian:12"],
    ["bids/app:1", "docker.io/bids/app:1"],
    ["quay.io/a/b@sha256:0", "quay.io/a/b@sha256:0"],
    ["localhost/a", "localhost/a"],
    ["host:5000/a", "host:5000/a"],
  ];
  for (const [written, expected] of cases)
    it(`completes ${written}`, () => assert.equal(qualifiedReference(written), expected));
});

describe("pinnedReference", () => {
  const cases: readonly [string, string | undefined][] = [
    ["debian", "debian@sha256:1"],
    ["debian:12", "debian@sha256:1"],
    ["debian:12@sha256:2", "debian@sha256:1"],
    ["localhost:5000/tools/fsl", "localhost:5000/tools/fsl@sha256:1"],
    ["localhost:5000/tools/fsl:6.0", "localhost:5000/tools/fsl@sha256:1"],
    ["library://tools/fsl", undefined],
  ];
  for (const [reference, expected] of cases)
    it(`${reference} has the source ${expected ?? "none"}`, () => {
      const source = { name: reference, origin: { from: "pull", reference }, digest: "sha256:1" } as const;
      assert.equal(pinnedReference(source), expected);
    });

  it("is none for an image that no registry has", () => {
    assert.equal(pinnedReference({ name: "x", origin: { from: "nowhere" }, digest: "sha256:1" }), undefined);
  });
});
