import { Refusal } from "@weft/shared/records/refusal.ts";
import { reviewContainers } from "./choose-container.ts";
import { WITHOUT_CONTAINER } from "../../container/containers.ts";
import type { containerWishes } from "../../container/container-wishes.ts";
import type { ContainerServices } from "./choose-container.ts";

/** Refuses a run if one of its tools requires a container and none is available; returns warnings about the others. */
export async function refuseUnmetContainers(
  wishes: ReturnType<typeof containerWishes>,
  services: ContainerServices,
): Promise<readonly string[]> {
  const { refusal, warnings } = await reviewContainers(wishes, services);
  if (refusal === undefined) return warnings;
  throw new Refusal("unsupported-feature", `${refusal}.`, {
    errors: [{ code: "no-container-engine", detail: refusal, hint: WITHOUT_CONTAINER }],
  });
}
