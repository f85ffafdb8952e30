import type { EngineLink } from './engine-link.ts';

/** Engine of the last run of each server, so that a start waits for one that was lost. */
export class LastEngines {
  readonly #links = new Map<string, EngineLink>();

  ran(server: string, link: EngineLink): void {
    this.#links.set(server, link);
  }

  /** Settles when the engine of a server is back, or `signal` aborts. Undefined if the engine is not lost. */
  returnOf(server: string, signal: AbortSignal): Promise<void> | undefined {
    const link = this.#links.get(server);
    if (!link?.isLost) return undefined;
    const use = link.use();
    return link.reached(signal).finally(() => use.dispose());
  }
}
