import { BACKEND_KINDS } from "@weft/shared/records/backend-kind.ts";
import type { BackendKind } from "@weft/shared/records/backend-kind.ts";
import type { BackendSettings } from "@weft/engine/executor/backends/backend-settings.ts";
import { mayRunAt } from "@weft/engine/executor/backends/choose-backend.ts";
import { DEFAULT_SLURM, MEMORY_OPTIONS } from "@weft/engine/executor/slurm/slurm-settings.ts";
import { z } from "zod";
import { count, parseSection, seconds, section, text, wrongSection } from "./config-section.ts";
import type { Settings } from "./read-settings.ts";
import { tesSettings, tesShape } from "./tes-setting.ts";

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
  const tesSection = parseSection("tes", settings.section("tes"), section({ rules, ...tesShape(settings) }));
  const tes = tesSettings(tesSection);
  const policy = { standard, rules: [...slurmSection.rules, ...tesSection.rules], defaultImage: tes.defaultImage };
  if (tes.url === undefined && mayRunAt(policy, "tes"))
    throw wrongSection(["tes", "url"], "must name the TES server to which jobs are to go");
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
