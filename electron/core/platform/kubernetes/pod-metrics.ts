import { z } from 'zod';
import type { Clock } from '../../clock.ts';
import type { ContainerReading } from '../containers/container-reading.ts';
import type { EngineApi } from '../containers/engine-api.ts';
import { quantityOf } from './pod-status.ts';

const quantity = z.string().optional().catch(undefined);
const listSchema = z.object({
  items: z.array(
    z.object({
      metadata: z.object({ name: z.string() }),
      containers: z.array(z.object({ usage: z.object({ cpu: quantity, memory: quantity }) })),
    }),
  ),
});

/** Milliseconds between two requests for figures. A cluster measures about as often. */
const ASK_MS = 15_000;
/** Milliseconds until figures are requested again from a cluster that does not provide any. */
const ABSENT_MS = 300_000;

type Figures = Pick<ContainerReading, 'memoryBytes' | 'cpuPercent'>;

/**
 * Memory and CPU of the pods of one namespace, from the cluster's metrics API. They are requested only while somebody reads
 * them. Many clusters do not provide that API.
 */
export class PodMetrics {
  readonly #api: EngineApi;
  readonly #clock: Clock;
  readonly #path: string;
  #figures: ReadonlyMap<string, Figures> = new Map();
  #nextAskMs = -Infinity;

  /** @param pods path of the pods below the metrics API, including their label selector */
  constructor(api: EngineApi, clock: Clock, pods: string) {
    this.#api = api;
    this.#clock = clock;
    this.#path = `/apis/metrics.k8s.io/v1beta1/${pods}`;
  }

  /** Returns the sum of the last readings of the pods. */
  readAll(names: readonly string[]): ContainerReading {
    const all = names.map((name) => this.read(name));
    const sumOf = (key: keyof Figures) => {
      const known = all.flatMap((reading) => reading[key] ?? []);
      return known.length === 0 ? {} : { [key]: known.reduce((sum, one) => sum + one, 0) };
    };
    return {
      ...{ atMs: this.#clock.now(), processCount: all.length, isPaused: false },
      ...{ ...sumOf('memoryBytes'), ...sumOf('cpuPercent') },
    };
  }

  /**
   * Returns the last reading of a pod. It is never undefined: even without figures it says that the pod runs, so that the pod
   * is not taken for one that gives no sign of life.
   */
  read(name: string): ContainerReading {
    const now = this.#clock.now();
    if (now >= this.#nextAskMs) {
      this.#nextAskMs = now + ASK_MS;
      void this.#ask();
    }
    return { atMs: now, processCount: 1, isPaused: false, ...this.#figures.get(name) };
  }

  async #ask(): Promise<void> {
    const { status, body } = await this.#api
      .ask('GET', this.#path)
      .catch(() => ({ status: 0, body: undefined }));
    const list = status === 200 ? listSchema.safeParse(body).data : undefined;
    if (list === undefined && status !== 0) this.#nextAskMs = this.#clock.now() + ABSENT_MS;
    this.#figures = new Map(
      list?.items.map(({ metadata: { name }, containers }) => [name, figuresOf(containers)]),
    );
  }
}

function figuresOf(containers: z.infer<typeof listSchema>['items'][number]['containers']): Figures {
  const sumOf = (key: 'cpu' | 'memory') =>
    containers.reduce<number | undefined>((sum, { usage }) => {
      const used = quantityOf(usage[key] ?? '');
      return used === undefined ? sum : (sum ?? 0) + used;
    }, undefined);
  const memoryBytes = sumOf('memory');
  const cores = sumOf('cpu');
  return {
    ...(memoryBytes !== undefined && { memoryBytes }),
    ...(cores !== undefined && { cpuPercent: cores * 100 }),
  };
}
