/** The permissions of a user: each role includes those before it. */
export const ROLES = ["viewer", "runner", "author", "admin"] as const;
export type Role = (typeof ROLES)[number];

/** True if `role` includes the rights of `needed`. */
export function roleIncludes(role: Role, needed: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(needed);
}
