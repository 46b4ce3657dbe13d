import { roleIncludes } from "@weft/shared/records/role.ts";
import type { Role } from "@weft/shared/records/role.ts";

/**
 * The highest role that a claim stands for: a text of words, or a list of texts. `name` is a claim as it is called
 * (`https://lab.example/roles`), else a way into one (`realm_access.roles`). Undefined: none.
 */
export function roleOfClaim(
  claims: Readonly<Record<string, unknown>>,
  name: string,
  roleMap: ReadonlyMap<string, Role>,
): Role | undefined {
  const value = Object.hasOwn(claims, name) ? claims[name] : valueAt(claims, name.split("."));
  const words = typeof value === "string" ? value.split(/\s+/) : Array.isArray(value) ? value : [];
  const roles = words.flatMap((word) => (typeof word === "string" ? (roleMap.get(word) ?? []) : []));
  return roles.reduce<Role | undefined>(
    (highest, role) => (highest === undefined || roleIncludes(role, highest) ? role : highest),
    undefined,
  );
}

function valueAt(claims: unknown, way: readonly string[]): unknown {
  let here = claims;
  for (const key of way) {
    if (typeof here !== "object" || here === null || !Object.hasOwn(here, key)) return undefined;
    here = Object.getOwnPropertyDescriptor(here, key)?.value;
  }
  return here;
}
