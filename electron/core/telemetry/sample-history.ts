import type { Sample } from '../../../shared/domain.ts';

/** Maximum samples kept per server: one hour at the highest rate. */
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

const FIELDS = ['at', 'processCount', 'memoryBytes', 'cpuPercent', 'openFiles', 'rttMs'] as const;
const FIRST_CAPACITY = 64;

/**
 * Ring buffer of the last `capacity` samples, 48 bytes each, because as objects an hour of one server would take half a
 * megabyte. It grows on demand by doubling.
 */
export class SampleRing {
  readonly #capacity: number;
  #room: number;
  /** Rows of FIELDS, one per sample; NaN marks an unknown figure. */
  #rows: Float64Array;
  /** Number of samples ever added. */
  #added = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
    this.#room = Math.min(FIRST_CAPACITY, capacity);
    this.#rows = new Float64Array(this.#room * FIELDS.length);
  }

  add(sample: Sample): void {
    if (this.#added === this.#room && this.#room < this.#capacity) this.#grow();
    const row = FIELDS.map((field) => sample[field] ?? Number.NaN);
    this.#rows.set(row, (this.#added % this.#room) * FIELDS.length);
    this.#added += 1;
  }

  /** Samples since `epochMs` in the order of adding, because the wall clock may have been set back in between. */
  since(epochMs: number): readonly Sample[] {
    const samples: Sample[] = [];
    for (let index = Math.max(0, this.#added - this.#room); index < this.#added; index += 1) {
      const start = (index % this.#room) * FIELDS.length;
      if ((this.#rows[start] ?? 0) >= epochMs) samples.push(this.#read(start));
    }
    return samples;
  }

  #read(start: number): Sample {
    const [at = 0, processCount = 0, ...figures] = this.#rows.subarray(start, start + FIELDS.length);
    const [memoryBytes, cpuPercent, openFiles, rttMs] = figures.map((value) =>
      Number.isNaN(value) ? undefined : value,
    );
    return {
      at,
      ...(memoryBytes === undefined ? {} : { memoryBytes }),
      ...(cpuPercent === undefined ? {} : { cpuPercent }),
      ...(openFiles === undefined ? {} : { openFiles }),
      ...(rttMs === undefined ? {} : { rttMs }),
      processCount,
    };
  }

  /** Doubles the size. Only before the first sample is overwritten, because until then the rows are in order. */
  #grow(): void {
    this.#room = Math.min(this.#capacity, this.#room * 2);
    const rows = new Float64Array(this.#room * FIELDS.length);
    rows.set(this.#rows);
    this.#rows = rows;
  }
}
