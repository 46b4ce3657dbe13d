import assert from "node:assert/strict";
import { chmod, stat, writeFile } from "node:fs/promises";
import { test } from "node:test";
import { temporaryFolder } from "@weft/shared/testing/temporary-folder.ts";
import { accessTokenPath, openAccessToken } from "./access-token.ts";

test("the access token is created once, readable only by its owner, and refused when others may read it", async () => {
  const folder = temporaryFolder();
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
