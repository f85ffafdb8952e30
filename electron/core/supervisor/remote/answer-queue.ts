import { PanelError } from '../../../../shared/error-codes.ts';

/** Each is a request of HTTP. */
const MAX_IN_FLIGHT = 4;
const MAX_WAITING = 64;

/** Lets answers to a server's own requests leave, few at a time: one that asks on and on must not make us flood it. */
export class AnswerQueue {
  #inFlight = 0;
  #waiting: (() => void)[] = [];

  /** Another answer would be refused. */
  get isFull(): boolean {
    return this.#waiting.length >= MAX_WAITING;
  }

  /** Settles as `deliver` does, when its turn has come. @throws PanelError STALLED when too many wait */
  async send(deliver: () => Promise<void>): Promise<void> {
    if (this.isFull) throw new PanelError('STALLED', 'The server asks faster than it takes answers.');
    if (this.#inFlight < MAX_IN_FLIGHT) this.#inFlight += 1;
    else await new Promise<void>((resolve) => void this.#waiting.push(resolve));
    try {
      await deliver();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#inFlight -= 1;
    }
  }

  /** Nothing leaves any more. */
  close(): void {
    this.#waiting = [];
  }
}
