import { z } from "zod";
import { namedObject } from "./named-object.ts";

export const trsToolClassSchema = namedObject("TrsToolClass", {
  id: z.string(),
  name: z.string(),
  description: z.string(),
});
export type TrsToolClass = z.infer<typeof trsToolClassSchema>;

export const trsVersionSchema = namedObject("TrsToolVersion", {
  id: z.string(),
  name: z.string(),
  url: z.string(),
  author: z.array(z.string()),
  is_production: z.boolean().describe("True if checksums pin the version, so that it cannot change"),
  images: z.array(z.object({ image_name: z.string(), image_type: z.literal("Docker") })),
  descriptor_type: z.array(z.literal("CWL")),
  descriptor_type_version: z.record(z.string(), z.array(z.string())),
  containerfile: z.boolean(),
  meta_version: z.string(),
  verified: z.boolean(),
  signed: z.boolean(),
});
export type TrsVersion = z.infer<typeof trsVersionSchema>;

export const trsToolSchema = namedObject("TrsTool", {
  id: z.string(),
  url: z.string(),
  name: z.string(),
  organization: z.string(),
  toolclass: trsToolClassSchema,
  description: z.string(),
  aliases: z.array(z.string()).describe("The ID with its kind: `networks:imaging-cohort`"),
  meta_version: z.string(),
  has_checker: z.boolean(),
  versions: z.array(trsVersionSchema),
});
export type TrsTool = z.infer<typeof trsToolSchema>;

export const trsFileSchema = namedObject("TrsFileWrapper", {
  content: z.string().optional().describe("Absent if the file is not UTF-8 text"),
  checksum: z.array(z.object({ checksum: z.string(), type: z.string() })),
  url: z.string(),
});
export type TrsFile = z.infer<typeof trsFileSchema>;

export const trsToolFileSchema = namedObject("TrsToolFile", {
  path: z.string(),
  file_type: z.enum(["PRIMARY_DESCRIPTOR", "TEST_FILE", "OTHER"]),
  checksum: z.object({ checksum: z.string(), type: z.string() }),
});
export type TrsToolFile = z.infer<typeof trsToolFileSchema>;
