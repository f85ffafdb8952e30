import type { Sample } from '../../../shared/domain.ts';
import { SampleRing } from './sample-ring.ts';

/** Samples kept per server: one hour at the highest rate. */
const MAX_SAMPLES = 3600;

/** Last samples of every server, in memory: 3600 each, which is an hour at one per second; the oldest go first. */
export class SampleHistory {
  readonly #rings = new Map<string, SampleRing>();

  add(server: string, sample: Sample): void {
    let ring = this.#rings.get(server);
    if (ring === undefined) {
      ring = new SampleRing(MAX_SAMPLES);
      this.#rings.set(server, ring);
    }
    ring.add(sample);
  }

  /** Samples taken at `epochMs` or later, in the order of adding. */
  since(server: string, epochMs: number): readonly Sample[] {
    return this.#rings.get(server)?.since(epochMs) ?? [];
  }

  /** Drops the samples of a server that is no longer configured. */
  forget(server: string): void {
    this.#rings.delete(server);
  }
}
