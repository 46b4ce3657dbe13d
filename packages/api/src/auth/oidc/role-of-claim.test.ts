import assert from "node:assert/strict";
import { test } from "node:test";
import type { Role } from "@weft/shared/records/role.ts";
import { roleOfClaim } from "./oidc-verifier.ts";

const MAP = new Map<string, Role>([
  ["viewer", "viewer"],
  ["lab-runners", "runner"],
  ["lab-admins", "admin"],
]);

const CASES: readonly (readonly [
  name: string,
  claims: Record<string, unknown>,
  claim: string,
  role: Role | undefined,
])[] = [
  ["a list", { roles: ["other", "viewer"] }, "roles", "viewer"],
  ["the highest of several", { roles: ["lab-admins", "viewer", "lab-runners"] }, "roles", "admin"],
  ["a string of words", { scope: "openid lab-runners" }, "scope", "runner"],
  ["a nested claim", { realm_access: { roles: ["lab-runners"] } }, "realm_access.roles", "runner"],
  ["a claim with dots in its name", { "https://lab.example/roles": ["viewer"] }, "https://lab.example/roles", "viewer"],
  ["no claim", {}, "roles", undefined],
  ["nothing known", { roles: ["Viewer", "admin"] }, "roles", undefined],
  ["neither a string nor a list", { roles: { viewer: true } }, "roles", undefined],
  ["a property that every object has", {}, "constructor.name", undefined],
  ["entries that are not strings", { roles: [1, null, ["lab-admins"]] }, "roles", undefined],
];

for (const [name, claims, claim, role] of CASES)
  test(`gets a role from ${name}`, () => assert.equal(roleOfClaim(claims, claim, MAP), role));
