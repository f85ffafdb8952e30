import { parsedJson } from '../../../../shared/parsed.ts';
import type { IncomingMessage } from 'node:http';
import { z } from 'zod';
import type { Clock } from '../../clock.ts';
import { Emitter } from '../../emitter.ts';
import { delay } from '../../wait.ts';
import { EngineRefusal, type EngineApi } from '../containers/engine-api.ts';
import { EngineLink, type EngineLinkOptions } from '../containers/engine-link.ts';
import { PodMetrics } from './pod-metrics.ts';
import { GONE, podStateOf, type PodState } from './pod-status.ts';

/** API path that every account of a cluster may request, so it serves to check whether the cluster is reachable. */
export const VERSION_PATH = '/version';

const listSchema = z.object({
  metadata: z.object({ resourceVersion: z.string(), continue: z.string().optional() }),
  items: z.array(z.unknown()),
});
const eventSchema = z.object({ type: z.string(), object: z.unknown() });
const versionSchema = z.object({ metadata: z.object({ resourceVersion: z.string() }) });

/** Maximum number of pods per page when pods are listed, because the panel reads at most 4 MiB of an answer. */
const PAGE = 200;
/** Milliseconds until the watch is requested again after the cluster has refused it. */
const REFUSED_MS = 10_000;

interface PodWatchOptions extends Omit<EngineLinkOptions, 'events'> {
  readonly namespace: string;
  /** Label selector for the pods, in the notation `name=value`. */
  readonly selector: string;
  /** Called after each change of a pod. */
  readonly onNews?: () => void;
}

/**
 * The pods of one namespace that match a label selector. They are listed once; then a watch reports the changes. If the watch
 * ends, it is opened again at the last version that it has reported. If the cluster no longer knows that version (410), the
 * pods are listed again.
 */
export class PodWatch {
  /** Emits the name of a pod that has ended or no longer exists. */
  readonly over = new Emitter<string>();
  /** Link to the cluster. While the link is used, it keeps the watch open. It also detects whether the cluster is reachable. */
  readonly link: EngineLink;
  readonly metrics: PodMetrics;
  readonly #api: EngineApi;
  readonly #clock: Clock;
  /** API path of the namespace's pods. */
  readonly path: string;
  readonly #selector: string;
  readonly #pods = new Map<string, PodState>();
  #version: string | undefined;

  constructor({ namespace, selector, onNews = () => undefined, ...options }: PodWatchOptions) {
    const { api, clock } = options;
    this.#api = api;
    this.#clock = clock;
    this.path = `/api/v1/namespaces/${namespace}/pods`;
    this.#selector = `labelSelector=${encodeURIComponent(selector)}`;
    this.metrics = new PodMetrics(api, clock, `namespaces/${namespace}/pods?${this.#selector}`);
    const open = async () => {
      const stream = await this.#open();
      onNews();
      return stream;
    };
    const read = (line: string) => {
      const id = this.#take(line);
      onNews();
      return id === undefined ? undefined : ({ id, action: 'die' } as const);
    };
    this.link = new EngineLink({ ...options, events: { pingPath: VERSION_PATH, open, read } });
    // While the cluster is not reachable, pods may change without the panel noticing, so the known states are dropped.
    this.link.lost.subscribe(() => this.#forget());
  }

  /** Returns the last known state of a pod; undefined for an unknown pod. */
  get(name: string): PodState | undefined {
    return this.#pods.get(name);
  }

  /** Returns the last known states of all pods. */
  get all(): readonly PodState[] {
    return [...this.#pods.values()];
  }

  /** Requests the state of a pod. Undefined if the answer does not contain the state. @throws if the cluster cannot be reached */
  async ask(name: string): Promise<PodState | typeof GONE | undefined> {
    const { status, body } = await this.#api.ask('GET', `${this.path}/${name}`);
    return status === 404 ? GONE : podStateOf(body);
  }

  /** Lists all pods, unless that was already done. @throws if the cluster is not reached or refuses */
  async begin(): Promise<void> {
    this.#version ??= await this.#list();
  }

  /** Opens the watch. @throws as `begin` */
  async #open(): Promise<IncomingMessage> {
    try {
      await this.begin();
      return await this.#api.stream(
        `${this.path}?watch=true&allowWatchBookmarks=true&timeoutSeconds=300&${this.#selector}&resourceVersion=${this.#version}`,
      );
    } catch (error) {
      if (error instanceof EngineRefusal) {
        const isFirst = this.#version === undefined;
        this.#version = undefined;
        // The cluster also refuses a version that is too old. A new list resolves that immediately, so the first attempt does
        // not wait.
        if (isFirst) await delay(this.#clock, REFUSED_MS);
      }
      throw error;
    }
  }

  /** Processes a line of the watch. @returns the name of a pod that has ended */
  #take(line: string): string | undefined {
    const { type, object } = eventSchema.safeParse(parsedJson(line)).data ?? {};
    if (type === 'ERROR') this.#version = undefined;
    const { metadata } = versionSchema.safeParse(object).data ?? {};
    if (type === undefined || type === 'ERROR' || metadata === undefined) return undefined;
    this.#version = metadata.resourceVersion;
    const state = type === 'BOOKMARK' ? undefined : podStateOf(object);
    if (state === undefined) return undefined;
    if (type === 'DELETED') return this.#drop(state.name);
    this.#pods.set(state.name, state);
    if (state.kind !== 'ended') return undefined;
    this.over.emit(state.name);
    return state.name;
  }

  /** Forgets all pods, because the cluster cannot be reached and their states may change unnoticed. */
  #forget(): void {
    this.#pods.clear();
    this.#version = undefined;
  }

  async #list(): Promise<string> {
    const found: PodState[] = [];
    let next = '';
    let version = '';
    do {
      const { status, body, words } = await this.#api.ask(
        'GET',
        `${this.path}?${this.#selector}&limit=${PAGE}${next && `&continue=${encodeURIComponent(next)}`}`,
      );
      if (status !== 200) throw new EngineRefusal(words, status);
      const { metadata, items } = listSchema.parse(body);
      for (const item of items) {
        const state = podStateOf(item);
        if (state) found.push(state);
      }
      next = metadata.continue ?? '';
      version = metadata.resourceVersion;
    } while (next !== '');
    const names = new Set(found.map(({ name }) => name));
    for (const name of [...this.#pods.keys()]) if (!names.has(name)) this.#drop(name);
    for (const state of found) {
      this.#pods.set(state.name, state);
      if (state.kind === 'ended') this.over.emit(state.name);
    }
    return version;
  }

  #drop(name: string): string {
    this.#pods.delete(name);
    this.over.emit(name);
    return name;
  }
}
