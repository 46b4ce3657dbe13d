/** A queue with one reader: everything that happens to a run outside its loop arrives here, in order. */
export class Mailbox<Message> {
  #messages: Message[] = [];
  #wake: (() => void) | undefined;

  post(message: Message): void {
    this.#messages.push(message);
    this.#wake?.();
  }

  /** All messages that have arrived; waits for the first. */
  async take(): Promise<readonly Message[]> {
    if (this.#messages.length === 0) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#wake = undefined;
    }
    return this.takeArrived();
  }

  /** All messages that have arrived; may be empty. */
  takeArrived(): readonly Message[] {
    const messages = this.#messages;
    this.#messages = [];
    return messages;
  }
}
