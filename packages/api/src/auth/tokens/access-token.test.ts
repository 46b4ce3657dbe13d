import assert from "node:assert/strict";
import { chmod, mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { accessTokenPath, openAccessToken } from "./access-token.ts";

test("the access token is created once, readable only by its owner, and refused when others may read it", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "weft-token-"));
  t.after(() => rm(folder, { recursive: true }));
  const path = accessTokenPath(folder);
  const token = await openAccessToken(folder);
  assert.match(token, /^[A-Za-z0-9_-]{43}$/);
  assert.equal((await stat(path)).mode & 0o777, 0o600);
  assert.equal(await openAccessToken(folder), token);
  const refused = { name: "ServerConfigurationError", exitCode: 78 };
  await chmod(path, 0o644);
  await assert.rejects(openAccessToken(folder), { ...refused, message: /chmod 600/ });
  await chmod(path, 0o600);
  await writeFile(path, "short\n");
  await assert.rejects(openAccessToken(folder), { ...refused, message: /Delete it/ });
});
