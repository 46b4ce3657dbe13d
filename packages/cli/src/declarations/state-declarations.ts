import { Flag } from "../settings/flag.ts";
import {
  BACKEND,
  CATALOG,
  CONTAINER,
  DATA,
  FURTHER_JOB_FLAGS,
  JOB_FLAGS,
  JSON_OUTPUT,
  OUTDIR,
  QUIET,
  SANDBOX,
  STATE,
} from "../settings/flags.ts";
import type { Declaration } from "./declaration.ts";
import { addressFlags, NO_CONTROL_GROUPS } from "./listening-flags.ts";

const AUDIT: Declaration = {
  name: "audit",
  summary: "check the audit log",
  description: "Checks the audit log for changed or missing entries and prints its last hash.",
  flags: [STATE],
  examples: ["weft audit", "weft audit --state /srv/weft"],
  documentation: "docs/how-to/operate-a-server.md",
  load: async () => (await import("../commands/audit-command.ts")).auditCommand,
};

const BACKUP: Declaration = {
  name: "backup",
  summary: "back up a state folder",
  description: "Backs up the log of a state folder. The server may be running.",
  arguments: { "<target>": "folder to create" },
  flags: [STATE, new Flag("--with-files", "also copy uploads and the files of runs")],
  examples: ["weft backup /backup/weft-monday", "weft backup --state /srv/weft --with-files /backup/weft-full"],
  documentation: "docs/how-to/back-up.md",
  load: async () => (await import("../commands/backup-command.ts")).backupCommand,
};

const RESTORE: Declaration = {
  name: "restore",
  summary: "restore a state folder from a backup",
  description: "Checks a backup and creates a new state folder from it.",
  arguments: { "<backup>": "folder that weft backup created" },
  flags: [new Flag("--state <DIR>", "state folder to create (required)")],
  examples: [
    "weft restore --state restored /backup/weft-monday",
    "weft restore --state /srv/weft-new /backup/weft-full",
  ],
  documentation: "docs/how-to/back-up.md",
  load: async () => (await import("../commands/restore-command.ts")).restoreCommand,
};

const VERIFY_FLAGS = [
  STATE,
  new Flag("--log-only", "check the log but not the files"),
  DATA,
  CATALOG,
  new Flag("--head <NUMBER:HASH>", "log head printed by an earlier check"),
];

const VERIFY: Declaration = {
  name: "verify",
  summary: "find changes to recorded events and files",
  description: "Lists all events, documents and files that changed after Weft recorded them.",
  arguments: { "[state|crate]": "state folder or unpacked crate (default: the state folder)" },
  flags: VERIFY_FLAGS,
  examples: ["weft verify --state /srv/weft --log-only", "weft verify results/crate"],
  documentation: "docs/explanation/provenance.md",
  load: async () => (await import("../commands/verify-command.ts")).verifyCommand,
};

const IMPORT: Declaration = {
  name: "import",
  summary: "import a run from an RO-Crate, or a tool from a registry",
  description:
    "Imports a run from another server and prints its new ID. This server may be running.\n" +
    "With trs://HOST/ID/VERSION: adds a tool or network from a registry (GA4GH TRS) to a catalog.",
  arguments: { "<crate>": "folder, zip, or trs:// address" },
  flags: [STATE, CATALOG],
  examples: ["weft import run.zip", "weft import --catalog my-catalog trs://tools.example.org/align/1.0.0"],
  documentation: "docs/explanation/provenance.md",
  load: async () => (await import("../commands/import-command.ts")).importCommand,
};

const REPRODUCE_FLAGS = [
  STATE,
  OUTDIR,
  new Flag("--relative <N>", "relative tolerance for numbers, 0 to 1 (default 0)"),
  new Flag("--absolute <N>", "absolute tolerance for numbers (default 0)"),
  JSON_OUTPUT,
  QUIET,
  ...JOB_FLAGS,
];

const REPRODUCE: Declaration = {
  name: "reproduce",
  summary: "run a recorded run again and compare the outputs",
  description:
    "Runs a recorded run again without the cache and compares the outputs.\n" +
    "Exit code 0: equal or within tolerance; 1: different or failed; 3: could not run.",
  arguments: { "<run|crate>": "run ID, or a crate as a folder or zip" },
  flags: REPRODUCE_FLAGS,
  furtherFlags: FURTHER_JOB_FLAGS,
  examples: ["weft reproduce run.zip --relative 0.01", "weft reproduce 0199e5a0-7b1c-7d2e-8f00-3a4b5c6d7e8f --json"],
  documentation: "docs/explanation/provenance.md",
  load: async () => (await import("../commands/reproduce-command.ts")).reproduceCommand,
};

const PRUNE_FLAGS = [
  STATE,
  new Flag("--run <ID>", "prune one run (default: all finished runs)"),
  new Flag("--older-than <AGE>", "prune only runs that finished at least this long ago: 30d"),
  new Flag("--intermediate", "prune intermediate files (default)"),
  new Flag("--logs", "prune job logs; requires --run"),
  new Flag("--outputs", "prune outputs; requires --run"),
  new Flag("--all", "prune intermediate files, logs and outputs; requires --run"),
  new Flag("--uploads", "prune uploads that no run uses"),
  new Flag("--downloads", "prune downloads that no run uses"),
  new Flag("--dry-run", "delete nothing, even with --yes"),
  new Flag("--yes", "delete the listed files (default: only list them)"),
  JSON_OUTPUT,
];

const PRUNE: Declaration = {
  name: "prune",
  summary: "delete files of finished runs",
  description: "Lists the files that finished runs no longer need, and deletes them with --yes.",
  flags: PRUNE_FLAGS,
  examples: ["weft prune --older-than 30d", "weft prune --uploads --downloads --yes"],
  documentation: "docs/how-to/operate-a-server.md",
  load: async () => (await import("../commands/prune-command.ts")).pruneCommand,
};

const REBUILD: Declaration = {
  name: "rebuild",
  summary: "rebuild the tables of a state folder from its log",
  description:
    "Rebuilds the tables of a state folder from its log. weft serve does so after an upgrade.\n" +
    "The server must be stopped. Nothing changes if the command is interrupted.",
  flags: [STATE],
  examples: ["weft rebuild", "weft rebuild --state /srv/weft"],
  documentation: "docs/how-to/upgrade.md",
  load: async () => (await import("../commands/rebuild-command.ts")).rebuildCommand,
};

const DOCTOR_FLAGS = [STATE, ...addressFlags(), BACKEND, CONTAINER, SANDBOX, NO_CONTROL_GROUPS, JSON_OUTPUT];

const DOCTOR: Declaration = {
  name: "doctor",
  summary: "check what this machine provides and lacks",
  description:
    "Checks this machine for a server with these options: each line has ✓, or a reason and a command.\n" +
    "Exit code 0: a server can work here; 1: a check failed.",
  flags: DOCTOR_FLAGS,
  examples: ["weft doctor", "weft doctor --state /srv/weft --json"],
  documentation: "docs/how-to/check-a-machine.md",
  load: async () => (await import("../commands/doctor-command.ts")).doctorCommand,
};

export const STATE_COMMANDS: readonly Declaration[] = [
  AUDIT,
  BACKUP,
  RESTORE,
  VERIFY,
  IMPORT,
  REPRODUCE,
  PRUNE,
  REBUILD,
  DOCTOR,
];
