import type { Flag } from "../settings/flag.ts";
import type { Settings } from "../settings/read-settings.ts";

/** A command of `weft`. Parsing and help both come from this declaration. */
export interface Declaration {
  readonly name: string;
  /** The purpose in one line, for the list of commands. */
  readonly summary: string;
  /** The purpose as one sentence, for the help page of the command. */
  readonly description: string;
  /** `<name>` for a required argument, `[name]` for an optional one → its meaning. */
  readonly arguments?: Readonly<Record<string, string>>;
  readonly flags?: readonly Flag[];
  /** Flags that the help page only names; docs/reference/command-line.md explains all flags. */
  readonly furtherFlags?: readonly Flag[];
  /** The command itself parses the words after its first argument, which may be flags of a document's inputs. */
  readonly readsWords?: true;
  readonly examples: readonly [string, string];
  /** The page about the command, as a path in the repository. */
  readonly documentation: string;
  /** Loads only the code of this command, so that every command starts fast. */
  readonly load?: () => Promise<(settings: Settings) => Promise<number>>;
  /** Members of a group; they share its page. */
  readonly commands?: readonly Member[];
}

type Member = Omit<Declaration, "documentation">;

/** A member of a group that acts on one thing; `id` is its ID in the examples. */
export function memberWithId(
  member: Omit<Member, "arguments" | "examples">,
  group: { readonly command: string; readonly argument: Readonly<Record<string, string>>; readonly id: string },
): Member {
  const { command, argument, id } = group;
  const line = `weft ${command} ${member.name}`;
  return { ...member, arguments: argument, examples: [`${line} ${id}`, `${line} --state /srv/weft ${id}`] };
}
