import { expect, test } from "vitest";
import { hashFile } from "./prov-route.tsx";

test("hashFile calculates the checksum of a file", async () => {
  const cases: [string, string][] = [
    ["", "sha1$da39a3ee5e6b4b0d3255bfef95601890afd80709"],
    ["abc", "sha1$a9993e364706816aba3e25717850c26c9cd0d89d"],
  ];
  for (const [text, checksum] of cases) expect(await hashFile(new Blob([text]))).toBe(checksum);
});
