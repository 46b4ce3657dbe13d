import { useState } from "react";

/** A set as state, and a function that adds a member or removes it. */
export function useToggledSet<Member>(first: () => Iterable<Member> = () => []) {
  const [members, setMembers] = useState<ReadonlySet<Member>>(() => new Set(first()));
  const toggle = (member: Member): void =>
    setMembers((old) => {
      const next = new Set(old);
      if (!next.delete(member)) next.add(member);
      return next;
    });
  return [members, toggle] as const;
}
