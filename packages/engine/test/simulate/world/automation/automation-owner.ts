import type { RouteMethods } from "../../../../src/port/route-methods.ts";
import { CALLER } from "../client.ts";
import { WORLD, type EventLoop } from "../../machine/event-loop.ts";
import type { PlannedAutomation } from "./plan-automation.ts";
import { ask } from "../../../../src/testing/ask-engine.ts";

const AGAIN_MS = 5000;

interface OwnerWorld {
  readonly loop: EventLoop;
  /** Undefined while none serves. */
  readonly automations: () => RouteMethods | undefined;
}

/** A user who creates automations, and lets them continue when they have stopped. */
export class AutomationOwner {
  readonly #world: OwnerWorld;
  readonly #planned: PlannedAutomation;

  constructor(planned: PlannedAutomation, world: OwnerWorld) {
    this.#world = world;
    this.#planned = planned;
  }

  begin(): void {
    this.#at(this.#planned.atMs);
  }

  #at(delayMs: number): void {
    const look = () => {
      this.#at(AGAIN_MS);
      // A user who gets no answer, or a refusal, looks again.
      this.#look().catch(() => {});
    };
    this.#world.loop.after(delayMs, look, WORLD);
  }

  async #look(): Promise<void> {
    const methods = this.#world.automations();
    if (methods === undefined) return;
    const caller = CALLER;
    const { automations: known } = await ask({ methods }, "GET /api/automations", { caller });
    const { settings, follower } = this.#planned;
    for (const wanted of [settings, follower])
      if (wanted !== undefined && known.every(({ name }) => name !== wanted.name))
        // eslint-disable-next-line no-await-in-loop -- one after the other, as a person does
        await ask({ methods }, "POST /api/automations", { caller, body: wanted });
    for (const { automation_id, state } of known)
      if (state === "stopped")
        await ask({ methods }, "POST /api/automations/{automation_id}/resume", { caller, params: { automation_id } });
  }
}
