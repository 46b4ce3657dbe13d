import * as fc from "fast-check";
import type { CwlType, PrimitiveKind } from "../model/cwl-type.ts";
import type { CwlValue } from "../model/cwl-value.ts";

const KINDS = ["null", "boolean", "int", "long", "float", "double", "string", "File", "Directory"] as const;
const NAMES = ["a", "b", "c"] as const;

export const of = (kind: PrimitiveKind): CwlType => ({ kind });
export const list = (items: CwlType): CwlType => ({ kind: "array", items });
export const either = (...options: readonly CwlType[]): CwlType => ({ kind: "union", options });

/** A record with fields of these types, by name. */
export const record = (fields: Readonly<Record<string, CwlType>>) => ({
  kind: "record" as const,
  fields: Object.entries(fields).map(([name, type]) => ({
    ...{ name, type, secondaryFiles: [], streamable: false, loadContents: false },
  })),
});

const primitive: fc.Arbitrary<CwlType> = fc.constantFrom(...KINDS).map(of);
const symbols: fc.Arbitrary<CwlType> = fc
  .uniqueArray(fc.constantFrom(...NAMES), { minLength: 1 })
  .map((names) => ({ kind: "enum", symbols: names }));

/** Types without `Any`, whose values are checked only when they arrive. */
export const anyType: fc.Arbitrary<CwlType> = fc.letrec<{ type: CwlType }>((tie) => ({
  type: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    primitive,
    symbols,
    tie("type").map(list),
    fc.array(tie("type"), { minLength: 1, maxLength: 3 }).map((options) => either(...options)),
    fc.dictionary(fc.constantFrom(...NAMES), tie("type"), { maxKeys: 3 }).map(record),
  ),
})).type;

interface ValueOptions {
  /** Includes values that fit types of other shapes: empty lists, null, and whole numbers for kinds with fractions. */
  readonly isAmbiguous?: boolean;
}

/** Values of a type. */
export function valueOf(type: CwlType, options: ValueOptions = {}): fc.Arbitrary<CwlValue> {
  switch (type.kind) {
    case "array":
      return fc.array(valueOf(type.items, options), { minLength: options.isAmbiguous === false ? 1 : 0, maxLength: 3 });
    case "union":
      return fc.oneof(...optionsOf(type.options, options).map((option) => valueOf(option, options)));
    case "enum":
      return fc.constantFrom(...type.symbols);
    case "record":
      return fc.record(Object.fromEntries(type.fields.map((field) => [field.name, valueOf(field.type, options)])));
    default:
      return primitiveOf(type.kind, options);
  }
}

/** A link that gives only null would be pointless. */
function optionsOf(options: readonly CwlType[], { isAmbiguous }: ValueOptions): readonly CwlType[] {
  const values = options.filter(({ kind }) => kind !== "null");
  return isAmbiguous === false && values.length > 0 ? values : options;
}

function primitiveOf(kind: PrimitiveKind, { isAmbiguous = true }: ValueOptions): fc.Arbitrary<CwlValue> {
  switch (kind) {
    case "boolean":
      return fc.boolean();
    case "int":
      return fc.integer();
    case "long":
      return fc.maxSafeInteger();
    case "float":
    case "double":
      return isAmbiguous ? fc.double({ noNaN: true, noDefaultInfinity: true }) : fc.constantFrom(0.5, -2.25);
    case "string":
      return fc.string();
    case "File":
    case "Directory":
      return fc.stringMatching(/^[a-z]{1,3}$/).map((name) => ({ class: kind, location: `file:///${name}` }));
    default:
      return fc.constant(null);
  }
}
