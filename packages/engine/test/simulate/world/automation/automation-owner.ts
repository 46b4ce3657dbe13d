import type { EngineAutomations } from "../../../../src/port/engine.ts";
import { CALLER } from "../client.ts";
import { WORLD } from "../../machine/event-loop.ts";
import type { EventLoop } from "../../machine/event-loop.ts";
import type { PlannedAutomation } from "./plan-automation.ts";

const AGAIN_MS = 5000;

interface OwnerWorld {
  readonly loop: EventLoop;
  /** Undefined while none serves. */
  readonly automations: () => EngineAutomations | undefined;
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
    const automations = this.#world.automations();
    if (automations === undefined) return;
    const { automations: known } = automations.list(CALLER);
    const { settings, follower } = this.#planned;
    for (const wanted of [settings, follower])
      if (wanted !== undefined && known.every(({ name }) => name !== wanted.name))
        // eslint-disable-next-line no-await-in-loop -- one after the other, as a person does
        await automations.create(CALLER, wanted);
    for (const { automation_id: id, state } of known)
      if (state === "stopped") await automations.setActive(CALLER, id, true);
  }
}
