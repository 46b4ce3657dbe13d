import { BACKEND_KINDS, type BackendKind } from "@weft/shared/records/backend-kind.ts";
import type { BackendSettings } from "@weft/engine/executor/backends/backend-settings.ts";
import { mayRunAt } from "@weft/engine/executor/backends/choose-backend.ts";
import { DEFAULT_SLURM, MEMORY_OPTIONS } from "@weft/engine/executor/slurm/slurm-settings.ts";
import { z } from "zod";
import { UsageError } from "../exit/exit.ts";
import type { Settings } from "./read-settings.ts";
import { existsSync } from "node:fs";
import { isAbsolute, normalize } from "node:path";
import { DEFAULT_TES, type TesSettings } from "@weft/engine/executor/tes/tes-settings.ts";

/** An object with only these keys. */
function section<Shape extends z.core.$ZodShape>(shape: Shape) {
  const known = Object.keys(shape).sort().join(", ");
  return z.strictObject(shape, {
    error: ({ code, keys }) =>
      code === "unrecognized_keys" ? `there is no key "${keys?.join('", "')}", only ${known}` : undefined,
  });
}

/** A string that is not empty. */
const text = z.string().min(1);
/** A whole number of at least 1. */
const count = z.int().min(1);

/** A number of seconds, converted to milliseconds. */
function seconds(least: number) {
  return z
    .number()
    .min(least)
    .transform((value) => value * 1000);
}

const amount = z.number().min(0).optional();
const rules = z
  .array(
    section({ backend: z.enum(BACKEND_KINDS), step: text.optional(), cores: amount, ram_mib: amount, seconds: amount }),
  )
  .default([])
  .transform((list) => list.map(({ ram_mib: ramMib, ...rule }) => ({ ...rule, ramMib })));

const { sbatch, squeue, scancel, sacct } = DEFAULT_SLURM.commands;
const SLURM = section({
  rules,
  partition: text.optional(),
  account: text.optional(),
  qos: text.optional(),
  memory: z.enum(MEMORY_OPTIONS).default(DEFAULT_SLURM.memory),
  options: z.array(z.string()).default([...DEFAULT_SLURM.options]),
  commands: section({
    sbatch: text.default(sbatch),
    squeue: text.default(squeue),
    scancel: text.default(scancel),
    sacct: text.default(sacct),
  }).prefault({}),
  poll_seconds: seconds(0.1).default(DEFAULT_SLURM.pollMs),
  max_jobs: count.default(DEFAULT_SLURM.maxJobs),
  array_size: count.default(DEFAULT_SLURM.arraySize),
  shared_folder_latency_seconds: seconds(0).default(DEFAULT_SLURM.latencyMs),
  pack: section({ jobs: count.default(10), seconds: count.default(600) }).optional(),
});

/** The backends that the sections `slurm` and `tes` of weft.config.json describe. */
export function readBackends(standard: BackendKind, settings: Pick<Settings, "section" | "resolve">): BackendSettings {
  const slurmSection = parseSection("slurm", settings.section("slurm"), SLURM);
  const tesSection = parseSection("tes", settings.section("tes"), tesSchema(settings));
  const { url, token_file: tokenFile, default_image: defaultImage, storage } = tesSection;
  const tes: TesSettings = {
    ...{ url, tokenFile, defaultImage, storage },
    pollMs: tesSection.poll_seconds,
    maxJobs: tesSection.max_jobs,
    latencyMs: tesSection.shared_folder_latency_seconds,
    requestMs: tesSection.request_timeout_seconds,
  };
  const policy = { standard, rules: [...slurmSection.rules, ...tesSection.rules], defaultImage };
  if (url === undefined && mayRunAt(policy, "tes"))
    throw wrongSection(["tes", "url"], "must name the TES server that gets jobs");
  const { partition, account, qos, memory, options, commands, pack } = slurmSection;
  const slurm = {
    ...{ partition, account, qos, memory, options, commands, pack },
    pollMs: slurmSection.poll_seconds,
    maxJobs: slurmSection.max_jobs,
    arraySize: slurmSection.array_size,
    latencyMs: slurmSection.shared_folder_latency_seconds,
  };
  return { policy, slurm, tes };
}

/** The address or path at which a TES server finds a folder. */
const place = z
  .string()
  .refine((text) => isAbsolute(text) || URL.canParse(text), "must be a path or an address, such as /mnt/weft");

/** The section `tes` of weft.config.json. */
const tesSchema = ({ resolve }: Pick<Settings, "resolve">) =>
  section({
    rules,
    url: text
      .refine(
        (url) => URL.canParse(url) && /^https?:\/\//.test(url) && !/[?#]/.test(url),
        "must be the http(s) address of the API, such as https://tes.example.org/ga4gh/tes/v1",
      )
      .optional(),
    token_file: text
      .refine((file) => existsSync(resolve(file)), {
        error: ({ input }) => `names a file that does not exist: ${resolve(String(input))}`,
      })
      .transform(resolve)
      .optional(),
    default_image: text.optional(),
    poll_seconds: seconds(0.1).default(DEFAULT_TES.pollMs),
    max_jobs: count.default(DEFAULT_TES.maxJobs),
    shared_folder_latency_seconds: seconds(0).default(DEFAULT_TES.latencyMs),
    request_timeout_seconds: seconds(1).default(DEFAULT_TES.requestMs),
    storage: z
      .record(z.string(), place)
      .default({})
      .superRefine((places, context) => {
        for (const folder of Object.keys(places))
          if (!isAbsolute(folder))
            context.addIssue({ code: "custom", path: [folder], message: "must be an absolute path" });
      })
      .transform((places) =>
        Object.fromEntries(Object.entries(places).map(([folder, url]) => [normalize(folder), url])),
      ),
  });

/** The value of a key of weft.config.json, checked; throws a UsageError that locates the first mistake. */
function parseSection<Schema extends z.ZodType>(key: string, value: unknown, schema: Schema): z.output<Schema> {
  const parsed = schema.safeParse(value === undefined ? {} : value);
  if (parsed.success) return parsed.data;
  const [{ path, message } = { path: [], message: "is wrong" }] = parsed.error.issues;
  throw wrongSection([key, ...path], message);
}

/** The error for the value at a path in weft.config.json. */
function wrongSection(path: readonly PropertyKey[], message: string): UsageError {
  return new UsageError(`weft.config.json: ${z.core.toDotPath(path)}: ${message}`);
}
