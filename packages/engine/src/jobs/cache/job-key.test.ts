import assert from "node:assert/strict";
import { it } from "node:test";
import type { JobContainer } from "@weft/shared/records/job-container.ts";
import { containerPart } from "./job-key.ts";

it("containerPart uses the digest of the image, or its name if the engine reports none", () => {
  const ran: JobContainer = { engine: "podman", version: "4.3", image: "debian:12", digest: "sha256:1" };
  const cases: readonly (readonly [JobContainer | undefined, string])[] = [
    [undefined, "none"],
    [{ engine: "none", image: "debian:12", why: "no engine works" }, "none"],
    [ran, "sha256:1"],
    [{ ...ran, engine: "docker", image: "debian:latest" }, "sha256:1"],
    [{ ...ran, digest: null }, "podman debian:12"],
  ];
  for (const [container, expected] of cases) assert.equal(containerPart(container), expected);
});
