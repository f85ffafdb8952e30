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

/** Milliseconds between two questions for figures; a cluster measures about as often. */
const ASK_MS = 15_000;
/** Milliseconds until a cluster without figures is asked again. */
const ABSENT_MS = 300_000;

type Figures = Pick<ContainerReading, 'memoryBytes' | 'cpuPercent'>;

/** Figures of all pods of this panel in one namespace, asked for while somebody reads them. Many clusters have none. */
export class PodMetrics {
  readonly #api: EngineApi;
  readonly #clock: Clock;
  readonly #path: string;
  #figures: ReadonlyMap<string, Figures> = new Map();
  #nextAskMs = -Infinity;

  constructor(api: EngineApi, clock: Clock, namespace: string, label: string) {
    this.#api = api;
    this.#clock = clock;
    const selector = encodeURIComponent(label);
    this.#path = `/apis/metrics.k8s.io/v1beta1/namespaces/${namespace}/pods?labelSelector=${selector}`;
  }

  /** Returns the last reading of a pod. There always is one, so that nobody takes what is not measured for silence. */
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
      list?.items.map(({ metadata: { name }, containers: [first] }) => [name, figuresOf(first?.usage ?? {})]),
    );
  }
}

function figuresOf({
  cpu = '',
  memory = '',
}: {
  cpu?: string | undefined;
  memory?: string | undefined;
}): Figures {
  const memoryBytes = quantityOf(memory);
  const cores = quantityOf(cpu);
  return {
    ...(memoryBytes !== undefined && { memoryBytes }),
    ...(cores !== undefined && { cpuPercent: cores * 100 }),
  };
}
