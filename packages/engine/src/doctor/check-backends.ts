import { userInfo } from "node:os";
import type { BackendSettings } from "../executor/backend-settings.ts";
import { mayRunAt } from "../executor/choose-backend.ts";
import type { RunProgram } from "../executor/run-program.ts";
import { failed, ok } from "./finding.ts";
import type { Finding } from "./finding.ts";

const UNUSED = "not used: no job goes there";

/** Lists the jobs of this account. */
export async function checkSlurm({ policy, slurm }: BackendSettings, run: RunProgram): Promise<Finding> {
  if (!mayRunAt(policy, "slurm")) return ok(UNUSED);
  const { SlurmClient } = await import("../executor/slurm/slurm-client.ts");
  const queue = await new SlurmClient(slurm, run, String(userInfo().uid)).queue();
  const { squeue } = slurm.commands;
  if ("failure" in queue) return failed(`${squeue} fails: ${queue.failure}`, `${squeue} --me`);
  return ok(`${squeue} answers; ${queue.length} jobs of Weft are there`);
}

/** Lists tasks, with the token of the configuration. */
export async function checkTes({ policy, tes }: BackendSettings): Promise<Finding> {
  if (!mayRunAt(policy, "tes")) return ok(UNUSED);
  const { TesClient } = await import("../executor/tes/tes-client.ts");
  const answer = await new TesClient(tes).find("weft-doctor");
  if (answer.kind === "answered") return ok(`${tes.url} answers`);
  const why = answer.kind === "absent" ? "it is not a TES server" : answer.message;
  return failed(`${tes.url} cannot be used: ${why}`, `curl --include ${tes.url?.replace(/\/$/, "")}/service-info`);
}
