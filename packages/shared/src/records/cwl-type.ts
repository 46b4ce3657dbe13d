import { z } from "zod";

/** The type of a CWL parameter with every shorthand resolved; forms are made from it. */
export type CwlTypeRecord =
  | { kind: "null" | "boolean" | "int" | "long" | "float" | "double" | "string" | "File" | "Directory" | "Any" }
  | { kind: "array"; items: CwlTypeRecord; label?: string | undefined; doc?: string | undefined }
  | {
      kind: "record";
      name?: string | undefined;
      label?: string | undefined;
      doc?: string | undefined;
      fields: CwlFieldRecord[];
    }
  | { kind: "enum"; name?: string | undefined; label?: string | undefined; doc?: string | undefined; symbols: string[] }
  | { kind: "union"; options: CwlTypeRecord[] };

export interface CwlFieldRecord {
  name: string;
  type: CwlTypeRecord;
  label?: string | undefined;
  doc?: string | undefined;
}

const text = z.string().optional();

export const cwlTypeSchema: z.ZodType<CwlTypeRecord> = z
  .lazy(() =>
    z.discriminatedUnion("kind", [
      z.object({
        kind: z.enum(["null", "boolean", "int", "long", "float", "double", "string", "File", "Directory", "Any"]),
      }),
      z.object({ kind: z.literal("array"), items: cwlTypeSchema, label: text, doc: text }),
      z.object({
        kind: z.literal("record"),
        name: text,
        label: text,
        doc: text,
        fields: z.array(z.object({ name: z.string(), type: cwlTypeSchema, label: text, doc: text })),
      }),
      z.object({ kind: z.literal("enum"), name: text, label: text, doc: text, symbols: z.array(z.string()) }),
      z.object({ kind: z.literal("union"), options: z.array(cwlTypeSchema) }),
    ]),
  )
  .meta({ id: "CwlType", description: "A CWL type with every shorthand resolved" });
