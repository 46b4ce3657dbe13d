import { z } from "zod";
import { namedObject } from "./named-object.ts";
import { durationMsSchema, timeSchema } from "./primitives.ts";

export const CHECK_IDS = [
  "node",
  "account",
  "limits",
  "clock",
  "disk",
  "state-folder",
  "temporary-folder",
  "port",
  "proxy",
  "browser",
  "launcher",
  "control-groups",
  "sandbox",
  "containers",
  "slurm",
  "tes",
] as const;
export type CheckId = (typeof CHECK_IDS)[number];

export const CHECK_STATES = ["ok", "warning", "failed"] as const;

export const machineCheckSchema = namedObject("MachineCheck", {
  id: z.enum(CHECK_IDS),
  title: z.string(),
  state: z
    .enum(CHECK_STATES)
    .describe("`warning`: Weft works without it; `failed`: Weft cannot start, or cannot do what its options say"),
  detail: z.string().describe("Capabilities of this machine, or missing ones"),
  fix: z.string().nullable().describe("A command that helps; null if the state is `ok`"),
  duration_ms: durationMsSchema,
});
export type MachineCheck = z.infer<typeof machineCheckSchema>;

/** The findings of `weft doctor`. */
export const machineReportSchema = namedObject("MachineReport", {
  version: z.string().describe("Version of Weft"),
  time: timeSchema,
  platform: z.string().meta({ description: "Operating system and processor", examples: ["linux x64"] }),
  state_folder: z.string().describe("Absolute path"),
  checks: z.array(machineCheckSchema).describe("Each with its result"),
});
export type MachineReport = z.infer<typeof machineReportSchema>;
