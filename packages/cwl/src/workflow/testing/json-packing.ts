import type { CwlValue } from "../../model/cwl-value.ts";
import type { Packing } from "../result-list.ts";

/** Packs values as JSON, and counts the calls. */
export function jsonPacking(): Packing & { packed: number; unpacked: number } {
  return {
    packed: 0,
    unpacked: 0,
    pack(values) {
      this.packed++;
      return new TextEncoder().encode(JSON.stringify(values));
    },
    unpack(packed) {
      this.unpacked++;
      return JSON.parse(new TextDecoder().decode(packed)) as readonly CwlValue[]; // see `pack`
    },
  };
}
