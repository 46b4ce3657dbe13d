import { z } from "zod";
import { namedObject } from "./named-object.ts";

export const CHANGE_KINDS = ["added", "changed", "deprecated", "removed"] as const;

export const contractChangeSchema = namedObject("ContractChange", {
  version: z.string().describe("The first version of Weft with this change"),
  kind: z.enum(CHANGE_KINDS),
  text: z.string().describe("The difference for programs that use the API or the command line"),
});
export type ContractChange = z.infer<typeof contractChangeSchema>;

/** A semantic version. */
export const RELEASE = /^(\d{1,9})\.(\d{1,9})\.(\d{1,9})(?:[-+][0-9A-Za-z.-]{1,64})?$/;

/**
 * Changes that programs which use the API or the command line may notice, by version, oldest first.
 * docs/reference/versions.md says what may change when.
 */
const CHANGES_BY_VERSION: Readonly<Record<string, readonly Omit<ContractChange, "version">[]>> = {
  "0.2.0": [
    {
      kind: "added",
      text: "`POST /api/plans` and `POST /api/runs/{run_id}/retry-plan` return the plan of a run.",
    },
    { kind: "deprecated", text: "`POST /api/runs?dry_run=true`: use `POST /api/plans`." },
    {
      kind: "changed",
      text: "An unversioned network is called `unversioned` in REST, WES and TRS. TRS also accepts the former name, `current`.",
    },
    {
      kind: "changed",
      text: "IDs of tools and networks in TRS have no prefix: `smooth`. TRS also accepts the former `tools:smooth`.",
    },
    { kind: "changed", text: "The metric `weft_event_seq` is called `weft_events_total`." },
    {
      kind: "added",
      text: "`GET /api/server/checks` reports what the machine provides and lacks; `weft doctor` prints it.",
    },
    { kind: "added", text: "`GET /api/server?client_version=0.1.0` lists these changes since that version." },
    {
      kind: "added",
      text: "`weft rebuild` rebuilds the tables of a state folder from its log, as a server does after an upgrade.",
    },
    {
      kind: "added",
      text: "`POST /api/runs/describe` archives, pins and tags many runs. `GET /api/runs` leaves out archived runs; `?archived=all` lists them too.",
    },
    {
      kind: "added",
      text: "`GET /api/runs/{run_id}/table` joins inputs and results by sample; `weft table` prints it.",
    },
    { kind: "added", text: "`POST /api/runs/{run_id}/reviews` marks samples as passed or failed." },
    {
      kind: "changed",
      text: "`GET /api/drafts/{draft_id}/editors` lists editors and changes nothing. `POST` there says that an editor has the draft open.",
    },
    {
      kind: "added",
      text: "Subscriptions have the trigger `review-needed`, and messages the type `run.review-needed`.",
    },
    {
      kind: "changed",
      text: "A job that ends within 100 ms has no `job.running` event, and one whose outputs are collected within 100 ms no `job.exited` event. `ran_ms` of `job.ended` and `job.retrying` says for how long the program ran if there is no `job.running`; `late_ms` of the two other events says how long ago it happened.",
    },
    {
      kind: "changed",
      text: "A run that was active when the server crashed three times is `PAUSED` with the code `ENGINE`, no longer `SYSTEM_ERROR`. Subscribers to `failure` receive a message of the type `run.paused`.",
    },
    {
      kind: "added",
      text: "`GET /api/runs/{run_id}/sizing` has `used_here`: the resources that the successful jobs of this run alone used.",
    },
    {
      kind: "changed",
      text: "`runs` and `links` of `GET /api/runs/{run_id}/lineage` have `by`: `location` if files passed from run to run, `content` if a run only wrote files with the same content. The lineage is not followed beyond the latter.",
    },
    {
      kind: "added",
      text: "`DELETE /api/drafts/{draft_id}` takes `If-Match`: it deletes only the revision that the caller has seen.",
    },
    { kind: "added", text: "`POST /api/drafts/{draft_id}/files` also saves a new `text` of the document." },
    { kind: "added", text: "`POST /api/automations` takes an `Idempotency-Key`, as `POST /api/runs` does." },
    {
      kind: "removed",
      text: "`GET /api/runs/{run_id}/provenance?format=prov-n`, and `provenance.provn` in crates: use PROV-JSON.",
    },
    {
      kind: "removed",
      text: "`--limit` with `object-fields`, `value-depth`, `name-bytes` or `reported-problems`: they are fixed.",
    },
  ],
};

export const CONTRACT_CHANGES: readonly ContractChange[] = Object.entries(CHANGES_BY_VERSION).flatMap(
  ([version, changes]) => changes.map((change) => ({ version, ...change })),
);

/** The changes after a version, oldest first. */
export function changesSince(version: string): readonly ContractChange[] {
  return CONTRACT_CHANGES.filter((change) => compareReleases(change.version, version) > 0);
}

/** Compares the three numbers of releases; a pre-release counts as its release. */
export function compareReleases(left: string, right: string): number {
  const [a, b] = [left, right].map((text) => (RELEASE.exec(text) ?? []).slice(1, 4).map(Number));
  for (const [index, number] of (a ?? []).entries()) {
    const difference = number - (b?.[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
