import type { EngineLink } from './engine-link.ts';

/** Milliseconds within which an engine that has ended its containers goes away. */
const GOING_MS = 1500;

/** Tells whether a container was ended by its engine, because that goes away. Ends by itself once the container has ended. */
export class EndByEngine {
  readonly #link: EngineLink;
  #wasKilled = false;

  /** @param id returns the container's id, once that is known */
  constructor(link: EngineLink, id: () => string | undefined, exited: Promise<unknown>) {
    this.#link = link;
    const unsubscribe = link.happened.subscribe((event) => {
      if (event.action === 'kill' && event.id === id()) this.#wasKilled = true;
    });
    void exited.then(unsubscribe);
  }

  /** Asks after the end. Takes time only where the engine has sent the container a signal. Never rejects. */
  tells(): Promise<boolean> {
    return this.#link.isLostWithin(this.#wasKilled ? GOING_MS : 0);
  }
}
