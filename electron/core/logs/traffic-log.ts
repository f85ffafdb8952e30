import type { Traffic } from '../../../shared/log-lines.ts';
import type { Clock } from '../clock.ts';
import { LineRing, type LinesInMemory } from '../journal/line-ring.ts';
import type { LineTimes } from '../journal/line-times.ts';
import { OpenRequests } from './open-requests.ts';
import {
  ContentQueue,
  sizeOfContent,
  toKept,
  type ContentBudget,
  type ContentHolder,
} from './traffic-contents.ts';
import { readMessage, type PassingMessage, type MessageSummary } from './traffic-message.ts';

/** One message that passed over the connection to a server. Method and target are as they came: they may hold a secret. */
export interface TrafficRecord extends ContentHolder, Pick<Traffic, 'direction' | 'kind' | 'method'> {
  /** Its place on the time axis, see `LineTimes`. */
  readonly atUs: number;
  readonly era: number;
  readonly generation: number;
  readonly target: string | undefined;
  readonly errorCode: number | undefined;
  readonly client: string | undefined;
  readonly isOwn: boolean;
  readonly sizeBytes: number | undefined;
  readonly durationMs: number | undefined;
  /** Place of the request of an answer, or of the answer of a request. */
  pairUs: number | undefined;
}

export interface TrafficLogOptions {
  readonly clock: Clock;
  readonly times: LineTimes;
  readonly budget: ContentBudget;
  /** Run that messages belong to now. */
  readonly generation: () => number;
}

interface Open {
  readonly record: TrafficRecord;
  readonly sentAtMs: number;
}

const MAX_MESSAGES = 1000;
/** What the panel asks for itself comes all the time, and must not push out what clients ask. */
const MAX_OWN_MESSAGES = 200;
const MAX_BYTES = 8 * 1024 * 1024;
/** An idle server is asked for signs of life all day. */
const MAX_OWN_BYTES = 256 * 1024;
/** Whoever asks it, the other side answers by itself; and its content says nothing that its line does not. */
const PING = 'ping';
const INITIALIZED = 'notifications/initialized';

/** The last messages on the connections to one server or a further process of it, in memory alone. */
export class TrafficLog {
  readonly #options: TrafficLogOptions;
  readonly #theirs = ring(MAX_MESSAGES);
  readonly #own = ring(MAX_OWN_MESSAGES);
  readonly #open = { 'to-server': new OpenRequests<Open>(), 'from-server': new OpenRequests<Open>() };
  readonly #contents: ContentQueue;
  readonly #ownContents: ContentQueue;

  constructor(options: TrafficLogOptions) {
    this.#options = options;
    const { budget } = options;
    this.#contents = new ContentQueue(budget, MAX_BYTES, MAX_MESSAGES);
    this.#ownContents = new ContentQueue(budget, MAX_OWN_BYTES, MAX_OWN_MESSAGES);
  }

  /** Lists of their own, each oldest first: what clients and the server say, and what the panel asks for itself. */
  inMemory(): readonly LinesInMemory<TrafficRecord>[] {
    return [this.#theirs.inMemory(), this.#own.inMemory()];
  }

  /** A new connection: ids count anew. */
  connected(): void {
    this.#open['to-server'].clear();
    this.#open['from-server'].clear();
  }

  passed({ direction, message, content, asker }: PassingMessage): void {
    const read = readMessage(message);
    const pair = this.#pairOf(direction, read);
    const nowMs = this.#options.clock.now();
    const isAnswer = read.method === undefined;
    const method = read.method ?? pair?.record.method ?? '';
    const isOfPanel = method === PING || method === INITIALIZED;
    const record: TrafficRecord = {
      atUs: this.#options.times.next(),
      era: this.#options.times.era,
      generation: this.#options.generation(),
      direction,
      kind: read.kind,
      method,
      target: read.target ?? (isAnswer ? pair?.record.target : undefined),
      errorCode: read.errorCode,
      client: asker ? asker.client : pair?.record.client,
      isOwn: isOfPanel || (asker?.isOwn ?? pair?.record.isOwn ?? false),
      sizeBytes: content === undefined ? undefined : sizeOfContent(content),
      durationMs: isAnswer && pair ? nowMs - pair.sentAtMs : undefined,
      pairUs: pair?.record.atUs,
      kept: undefined,
    };
    if (isAnswer && pair) pair.record.pairUs = record.atUs;
    if (read.kind === 'request' && read.id !== undefined)
      this.#open[direction].add(read.id, { record, sentAtMs: nowMs });
    this.#keep(record, content);
    (record.isOwn ? this.#own : this.#theirs).add(record);
  }

  /** The message at this place. */
  find(atUs: number): TrafficRecord | undefined {
    const isIt = (record: TrafficRecord) => record.atUs === atUs;
    return this.#theirs.lines.find(isIt) ?? this.#own.lines.find(isIt);
  }

  /** The request that an answer, a progress or a cancellation is about. */
  #pairOf(direction: Traffic['direction'], { method, id, about }: MessageSummary): Open | undefined {
    const other = direction === 'to-server' ? 'from-server' : 'to-server';
    if (method === undefined) return id === undefined ? undefined : this.#open[other].take(id);
    if (about === undefined) return undefined;
    return this.#open[method === 'notifications/cancelled' ? direction : other].find(about);
  }

  #keep(record: TrafficRecord, content: PassingMessage['content']): void {
    if (content === undefined || record.sizeBytes === undefined || record.method === PING) return;
    const contents = record.isOwn ? this.#ownContents : this.#contents;
    contents.add(record, toKept(content, record.sizeBytes));
  }
}

const ring = (maxLines: number) =>
  new LineRing<TrafficRecord>({ maxLines, maxBytes: Infinity, sizeOf: () => 0 });
