import { deflateRawSync, inflateRawSync } from "node:zlib";
import type { CwlValue } from "@weft/cwl/model/cwl-value.ts";
import type { Packing } from "@weft/cwl/workflow/result-list.ts";
import { recordedValues, valuesText } from "./record-values.ts";

/** The fastest level suffices, because Files of jobs differ in little more than their checksums and numbers. */
const LEVEL = 1;

/** Packs values as compressed JSON, outside of V8's heap: the log would return the same values. */
export const valuePacking: Packing = {
  // A copy: the buffer is a slice of a larger one.
  pack: (values) => new Uint8Array(deflateRawSync(valuesText({ values }), { level: LEVEL })),
  unpack(packed) {
    const { values } = recordedValues(inflateRawSync(packed).toString()) as { readonly values: readonly CwlValue[] }; // see `pack`
    return values;
  },
};
