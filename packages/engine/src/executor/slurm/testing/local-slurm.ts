import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { temporaryFolder } from "@weft/shared/testing/temporary-folder.ts";
import type { SlurmCommands } from "../slurm-settings.ts";

/** Runs each task of an array at once, as a node would. A file for each running task is its line in the queue. */
const SBATCH = `#!/bin/bash
root=$(dirname "$0")
for option; do
  case $option in
    --array=0-*) last=\${option#--array=0-} ;;
    --job-name=*) name=\${option#*=} ;;
  esac
done
id=$(date +%s%N)
cat >"$root/$id.sh"
for ((index = 0; index <= last; index++)); do
  line="$root/queue/$id|$index|RUNNING|None|node1|$name"
  : >"$line"
  (
    SLURM_ARRAY_JOB_ID=$id SLURM_ARRAY_TASK_ID=$index SLURMD_NODENAME=node1 bash "$root/$id.sh"
    rm "$line"
  ) </dev/null >/dev/null 2>&1 &
done
echo "$id"
`;

/** Remembers no tasks that have ended, like a site without accounting. */
const SQUEUE = `#!/bin/bash
case "$*" in *--states=all*) ;; *) ls "$(dirname "$0")/queue" ;; esac
`;

const SCANCEL = "#!/bin/bash\n";

const SACCT = `#!/bin/bash
echo "Slurm accounting storage is disabled" >&2
exit 1
`;

/** A Slurm of one node: four commands that run tasks on this machine. */
export class LocalSlurm {
  readonly #root: string;

  private constructor(root: string) {
    this.#root = root;
  }

  static async open(): Promise<LocalSlurm> {
    const root = temporaryFolder();
    await mkdir(join(root, "queue"));
    for (const [name, script] of Object.entries({ sbatch: SBATCH, squeue: SQUEUE, scancel: SCANCEL, sacct: SACCT }))
      await writeFile(join(root, name), script, { mode: 0o755 });
    return new LocalSlurm(root);
  }

  get commands(): SlurmCommands {
    const at = (name: string) => join(this.#root, name);
    return { sbatch: at("sbatch"), squeue: at("squeue"), scancel: at("scancel"), sacct: at("sacct") };
  }
}
