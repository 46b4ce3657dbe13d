import { BACKEND_KINDS } from "@weft/shared/records/backend-kind.ts";
import type { BackendKind } from "@weft/shared/records/backend-kind.ts";
import type { BackendSettings } from "@weft/engine/backend/backend-settings.ts";
import { mayRunAt } from "@weft/engine/backend/choose-backend.ts";
import type { BackendRule } from "@weft/engine/backend/choose-backend.ts";
import { DEFAULT_SLURM, MEMORY_OPTIONS } from "@weft/engine/executor/slurm/slurm-settings.ts";
import type { MemoryOption, SlurmSettings } from "@weft/engine/executor/slurm/slurm-settings.ts";
import { ConfigSection } from "./config-section.ts";
import type { Settings } from "./read-settings.ts";
import { tesSetting } from "./tes-setting.ts";
import { UsageError } from "./usage-error.ts";

/** `--backend local|slurm|tes`, and the sections `slurm` and `tes` of weft.config.json. */
export function backendSetting(settings: Pick<Settings, "text" | "section">): BackendSettings {
  const section = new ConfigSection("slurm", settings.section("slurm"));
  const tesSection = new ConfigSection("tes", settings.section("tes"));
  const text = settings.text("backend") ?? "local";
  const standard = BACKEND_KINDS.find((kind) => kind === text);
  if (standard === undefined)
    throw new UsageError(`--backend must be one of ${BACKEND_KINDS.join(", ")}, not "${text}"`);
  const rules = [...section.sections("rules"), ...tesSection.sections("rules")].map(toRule);
  const slurm = toSlurm(section);
  const tes = tesSetting(tesSection);
  section.refuseOthers();
  tesSection.refuseOthers();
  const policy = { standard, rules, defaultImage: tes.defaultImage };
  if (tes.url === undefined && mayRunAt(policy, "tes"))
    throw tesSection.wrong("url", "must name the TES server to which jobs are to go");
  return { policy, slurm, tes };
}

function toSlurm(section: ConfigSection): SlurmSettings {
  const commands = section.section("commands");
  const pack = section.has("pack") ? section.section("pack") : undefined;
  const { sbatch, squeue, scancel, sacct } = DEFAULT_SLURM.commands;
  const slurm = {
    partition: section.text("partition"),
    account: section.text("account"),
    qos: section.text("qos"),
    memory: memoryOf(section),
    options: section.texts("options") ?? DEFAULT_SLURM.options,
    commands: {
      sbatch: commands.text("sbatch") ?? sbatch,
      squeue: commands.text("squeue") ?? squeue,
      scancel: commands.text("scancel") ?? scancel,
      sacct: commands.text("sacct") ?? sacct,
    },
    pollMs: (section.number("poll_seconds", 0.1) ?? DEFAULT_SLURM.pollMs / 1000) * 1000,
    maxJobs: section.whole("max_jobs", 1) ?? DEFAULT_SLURM.maxJobs,
    arraySize: section.whole("array_size", 1) ?? DEFAULT_SLURM.arraySize,
    latencyMs: (section.number("shared_folder_latency_seconds", 0) ?? DEFAULT_SLURM.latencyMs / 1000) * 1000,
    pack: pack && { jobs: pack.whole("jobs", 1) ?? 10, seconds: pack.whole("seconds", 1) ?? 600 },
  };
  commands.refuseOthers();
  pack?.refuseOthers();
  return slurm;
}

function memoryOf(section: ConfigSection): MemoryOption {
  const text = section.text("memory") ?? DEFAULT_SLURM.memory;
  const memory = MEMORY_OPTIONS.find((known) => known === text);
  if (memory === undefined) throw section.wrong("memory", `must be one of ${MEMORY_OPTIONS.join(", ")}`);
  return memory;
}

function toRule(section: ConfigSection): BackendRule {
  const rule = {
    backend: kindOf(section),
    step: section.text("step"),
    cores: section.number("cores", 0),
    ramMib: section.number("ram_mib", 0),
    seconds: section.number("seconds", 0),
  };
  section.refuseOthers();
  return rule;
}

function kindOf(section: ConfigSection): BackendKind {
  const text = section.text("backend");
  const kind = BACKEND_KINDS.find((known) => known === text);
  if (kind === undefined) throw section.wrong("backend", `must be one of ${BACKEND_KINDS.join(", ")}`);
  return kind;
}
