import assert from "node:assert/strict";
import { it } from "node:test";
import { isUploadOf, newUploadId } from "./upload-owner.ts";

it("finds the owner of an upload by its ID", () => {
  for (const owner of ["ann", "a", "Ann", "https://idp.example#12", ""]) {
    const id = newUploadId(owner);
    assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
    assert.ok(isUploadOf(id, owner));
    assert.ok(!isUploadOf(id, `${owner}x`));
    assert.ok(
      !isUploadOf(
        id.replace(/.$/, (digit) => (digit === "0" ? "1" : "0")),
        owner,
      ),
    );
    assert.notEqual(id, newUploadId(owner));
  }
  for (const id of ["", "x", "..", "d2f8c1de-6a5e-4f0f-9f3c-0a9b3d1f7c12"]) assert.ok(!isUploadOf(id, "ann"));
});
