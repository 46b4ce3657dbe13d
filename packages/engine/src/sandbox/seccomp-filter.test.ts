import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { seccompFilter } from "./seccomp-filter.ts";

interface Call {
  readonly audit: number;
  readonly number: number;
  readonly args?: readonly number[];
}

/** Runs a filter as the kernel does, for the four instructions that Weft's filter has. */
function answer(filter: Uint8Array, { audit, number, args = [] }: Call): string {
  const view = new DataView(filter.buffer, filter.byteOffset, filter.byteLength);
  const data = (offset: number) =>
    offset === 0 ? number : offset === 4 ? audit : ((offset - 16) % 8 === 0 && args[(offset - 16) / 8]) || 0;
  let loaded = 0;
  for (let at = 0; at < filter.length; at += 8) {
    const value = view.getUint32(at + 4, true);
    const jump = (isTrue: boolean) => 8 * view.getUint8(at + (isTrue ? 2 : 3));
    switch (view.getUint16(at, true)) {
      case 0x20:
        loaded = data(value);
        break;
      case 0x15:
        at += jump(loaded >>> 0 === value);
        break;
      case 0x45:
        at += jump((loaded & value) !== 0);
        break;
      case 0x06:
        return value === 0x7fff0000 ? "allowed" : `error ${value & 0xffff}`;
      default:
        assert.fail("unknown instruction");
    }
  }
  return assert.fail("the filter has no end");
}

const NEW_USER = 0x10000000;
/** Architecture, and numbers of: keyctl, add_key, request_key, ioctl, clone, unshare, read. */
const MACHINES = [
  ["x64", "x86-64", 0xc000003e, [250, 248, 249], 16, [56, 272], 0],
  ["x64", "32-bit x86", 0x40000003, [288, 286, 287], 54, [120, 310], 3],
  ["arm64", "ARM64", 0xc00000b7, [219, 217, 218], 29, [220, 97], 63],
  ["arm64", "32-bit ARM", 0x40000028, [311, 309, 310], 54, [120, 337], 3],
] as const;

for (const [arch, name, audit, keyrings, ioctl, flagged, read] of MACHINES)
  describe(`the filter for programs of ${name}`, () => {
    const filter = seccompFilter(arch) ?? new Uint8Array();
    const says = (number: number, ...args: number[]) => answer(filter, { audit, number, args });

    it("refuses every use of keyrings", () => {
      for (const number of keyrings) assert.equal(says(number), "error 1");
    });

    it("refuses user namespaces, and no others", () => {
      for (const number of flagged) {
        assert.deepEqual([says(number, NEW_USER), says(number, NEW_USER | 0x11)], ["error 1", "error 1"]);
        assert.deepEqual([says(number, 0x20000), says(number, 0x11)], ["allowed", "allowed"]);
      }
    });

    it("reports that clone3 does not exist, because it cannot inspect its flags", () =>
      assert.equal(says(435), "error 38"));

    it("refuses only to type into a terminal", () => {
      for (const request of [0x5412, 0x541c]) assert.equal(says(ioctl, 0, request), "error 1");
      assert.deepEqual([says(ioctl, 0, 0x5401), says(ioctl, 0x5412, 0)], ["allowed", "allowed"]);
    });

    it("allows other calls", () => assert.equal(says(read, NEW_USER, 0x5412), "allowed"));
  });

describe("the filter", () => {
  it("knows only the numbers of its own architectures", () => {
    const filter = seccompFilter("x64") ?? new Uint8Array();
    assert.equal(answer(filter, { audit: 0xc00000b7, number: 63 }), "error 38");
    // The numbers of x32.
    assert.equal(answer(filter, { audit: 0xc000003e, number: 0x40000000 | 250 }), "error 38");
  });

  it("exists for no other processor", () => assert.equal(seccompFilter("riscv64"), undefined));
});
