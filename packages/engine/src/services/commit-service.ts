import { join } from "node:path";
import type { CommitResult, CommitVersions } from "@weft/shared/records/commit-record.ts";
import { Refusal } from "@weft/shared/records/refusal.ts";
import { UNVERSIONED } from "@weft/shared/records/unversioned.ts";
import { commitPaths } from "../drafts/git-commit.ts";
import type { Caller } from "../port/engine.ts";
import type { DraftServiceOptions } from "./draft-service.ts";

const SHOWN_CHARACTERS = 4000;

/** Commits versions that were published here, and nothing else. */
export async function commitVersions(
  { principal }: Caller,
  { versions }: CommitVersions,
  { catalog, commits }: DraftServiceOptions,
): Promise<CommitResult> {
  if (!commits)
    throw new Refusal(
      "conflict",
      "This server makes no commits. Its administrator can allow them: --commit-published.",
    );
  const paths = versions.map(({ kind, id, version }) => {
    const { place, pin } = catalog.find(kind, id, version);
    if (place.version === null || version === UNVERSIONED || pin === undefined)
      throw new Refusal("conflict", `${id} ${version} was not published by a server, so it is not committed here.`);
    return join(`${kind}s`, id, version);
  });
  const names = versions.map(({ id, version }) => `${id} ${version}`);
  const subject =
    names.length === 1 ? `catalog: publish ${names.join("")}` : `catalog: publish ${names.length} versions`;
  const body = names.length === 1 ? "" : `\n\n${names.join("\n")}`;
  const message = `${subject}${body}\n\nPublished by ${principal}.`;
  const result = await commitPaths({ folder: catalog.root, paths, message, author: principal });
  const commit = result.state === "committed" ? result.commit : null;
  return { state: result.state, commit, paths, output: result.output.slice(0, SHOWN_CHARACTERS) };
}
