import { parsedJson } from '../../../../shared/parsed.ts';
import type { IncomingMessage } from 'node:http';
import { z } from 'zod';
import type { Clock } from '../../clock.ts';
import { Emitter } from '../../emitter.ts';
import { delay } from '../../wait.ts';
import { EngineRefusal, type EngineApi } from '../containers/engine-api.ts';
import { EngineLink, type EngineLinkOptions } from '../containers/engine-link.ts';
import { podStateOf, type PodState } from './pod-status.ts';

/** What every account may ask a cluster. */
export const VERSION_PATH = '/version';

const listSchema = z.object({
  metadata: z.object({ resourceVersion: z.string(), continue: z.string().optional() }),
  items: z.array(z.unknown()),
});
const eventSchema = z.object({ type: z.string(), object: z.unknown() });
const versionSchema = z.object({ metadata: z.object({ resourceVersion: z.string() }) });

/** Pods in one answer to a list; an answer of the API is read up to 4 MiB. */
const PAGE = 200;
/** Milliseconds before a watch that the cluster refuses is asked for again. */
const REFUSED_MS = 10_000;

/** Link to a cluster that keeps a watch open, and with it knows of the cluster. @param onNews called after each change of a pod */
export function podLink(
  watch: PodWatch,
  options: Omit<EngineLinkOptions, 'events'>,
  onNews: () => void = () => undefined,
): EngineLink {
  const link = new EngineLink({
    ...options,
    events: {
      pingPath: VERSION_PATH,
      open: async () => {
        const stream = await watch.open();
        onNews();
        return stream;
      },
      read: (line) => {
        const id = watch.take(line);
        onNews();
        return id === undefined ? undefined : { id, action: 'die' };
      },
    },
  });
  // What is lost may change unseen.
  link.lost.subscribe(() => watch.forget());
  return link;
}

/**
 * State of pods of one namespace by their labels, by one list and one watch. A watch that ends is taken up at its last
 * version; one whose version the cluster has forgotten (410) begins with a list again.
 */
export class PodWatch {
  /** Emits the name of a pod that has ended or is gone. */
  readonly over = new Emitter<string>();
  readonly #api: EngineApi;
  readonly #clock: Clock;
  readonly #path: string;
  readonly #selector: string;
  readonly #pods = new Map<string, PodState>();
  #version: string | undefined;

  /** @param path of the pods of the namespace @param label `name=value` of the pods */
  constructor(api: EngineApi, clock: Clock, path: string, label: string) {
    this.#api = api;
    this.#clock = clock;
    this.#path = path;
    this.#selector = `labelSelector=${encodeURIComponent(label)}`;
  }

  /** Last known state of a pod; undefined for one that is not known. */
  get(name: string): PodState | undefined {
    return this.#pods.get(name);
  }

  /** Last known states of all pods. */
  get all(): readonly PodState[] {
    return [...this.#pods.values()];
  }

  /** Asks for the states of all pods, unless they are known. @throws as `open` */
  async begin(): Promise<void> {
    this.#version ??= await this.#list();
  }

  /** Opens the watch. @throws if the cluster is not reached or refuses */
  async open(): Promise<IncomingMessage> {
    try {
      await this.begin();
      return await this.#api.stream(
        `${this.#path}?watch=true&allowWatchBookmarks=true&timeoutSeconds=300&${this.#selector}&resourceVersion=${this.#version}`,
      );
    } catch (error) {
      if (error instanceof EngineRefusal) {
        const isFirst = this.#version === undefined;
        this.#version = undefined;
        // A version that is too old is refused at once, too: then a list helps.
        if (isFirst) await delay(this.#clock, REFUSED_MS);
      }
      throw error;
    }
  }

  /** Takes a line of the watch. @returns the name of a pod that has ended */
  take(line: string): string | undefined {
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

  /** Forgets all, because the cluster is not reached. */
  forget(): void {
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
        `${this.#path}?${this.#selector}&limit=${PAGE}${next && `&continue=${encodeURIComponent(next)}`}`,
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
