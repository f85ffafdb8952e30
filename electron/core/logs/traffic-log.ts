import { OpenMap } from '../open-map.ts';
import type { Traffic } from '../../../shared/log-lines.ts';
import type { Clock } from '../clock.ts';
import { LineRing, type LinesInMemory } from '../journal/line-ring.ts';
import type { LineTimes } from '../journal/line-times.ts';
import {
  type ContentBudget,
  type ContentHolder,
  ContentQueue,
  type MessageContent,
  sizeOfContent,
  toKept,
} from './traffic-contents.ts';
import { isJsonObject } from '../../../shared/json-object.ts';

/** One message sent to or from a server. Its method and target are not redacted, so they may contain a secret. */
export interface TrafficRecord extends ContentHolder, Pick<Traffic, 'direction' | 'kind' | 'method'> {
  /** Unique time of the message among all log lines, in epoch microseconds; see `LineTimes`. */
  readonly atUs: number;
  readonly era: number;
  readonly generation: number;
  readonly target: string | undefined;
  readonly errorCode: number | undefined;
  readonly client: string | undefined;
  readonly isOwn: boolean;
  readonly sizeBytes: number | undefined;
  readonly durationMs: number | undefined;
  /** Time (`atUs`) of the matching message: for an answer its request, for a request its answer. Undefined if unknown. */
  pairUs: number | undefined;
}

interface TrafficLogOptions {
  readonly clock: Clock;
  readonly times: LineTimes;
  readonly budget: ContentBudget;
  /** Returns the generation (the number of the server's current run). */
  readonly generation: () => number;
}

interface Open {
  readonly record: TrafficRecord;
  readonly sentAtMs: number;
}

const MAX_MESSAGES = 1000;
/**
 * Maximum number of the panel's own messages. They have a limit of their own, because the panel sends them all the time and
 * they must not displace messages of clients.
 */
const MAX_OWN_MESSAGES = 200;
const MAX_BYTES = 8 * 1024 * 1024;
/** Maximum bytes of the panel's own messages, because an idle server gets health checks all day. */
const MAX_OWN_BYTES = 256 * 1024;
/** Method whose content is not stored: both sides answer it automatically, and its content says no more than its log line. */
const PING = 'ping';
const INITIALIZED = 'notifications/initialized';

/** Last messages on the connections to one server or replica, kept only in memory. */
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

  /** Returns separate lists, each oldest first: messages between clients and the server, and the panel's own requests. */
  inMemory(): readonly LinesInMemory<TrafficRecord>[] {
    return [this.#theirs.inMemory(), this.#own.inMemory()];
  }

  /** Forgets all unanswered requests, because request ids start again on a new connection. */
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

  /** Returns the message at this position. */
  find(atUs: number): TrafficRecord | undefined {
    const isIt = (record: TrafficRecord) => record.atUs === atUs;
    return this.#theirs.lines.find(isIt) ?? this.#own.lines.find(isIt);
  }

  /** Returns the unanswered request that an answer, a progress notification or a cancellation refers to. */
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

/** Maximum remembered requests without an answer; the oldest are forgotten first. */
const MAX_OPEN = 1000;

/** Unanswered requests of one side, by their ids. */
class OpenRequests<R> {
  readonly #open = new OpenMap<LoggedMessageId, R>();

  add(id: LoggedMessageId, request: R): void {
    this.#open.delete(id);
    this.#open.set(id, request);
    if (this.#open.size <= MAX_OPEN) return;
    for (const [oldest] of this.#open.entries()) return void this.#open.delete(oldest);
  }

  /** Finds a request; some servers return numeric ids as text. */
  find(id: LoggedMessageId): R | undefined {
    return this.#open.get(id) ?? this.#open.get(Number(id));
  }

  /** Removes and returns an answered request. */
  take(id: LoggedMessageId): R | undefined {
    const found = this.find(id);
    if (found !== undefined && !this.#open.delete(id)) this.#open.delete(Number(id));
    return found;
  }

  /** Drops all requests, because the connection has ended and no answers can follow. */
  clear(): void {
    this.#open.clear();
  }
}

/** A message on the connection to a server, with the data that the log needs. */
interface PassingMessage {
  readonly direction: Traffic['direction'];
  /** The parsed message. Only its outermost fields have been validated. */
  readonly message: object;
  /** Content of the message; undefined if it was too long to be stored. */
  readonly content: MessageContent | undefined;
  readonly asker: { readonly client?: string | undefined; readonly isOwn: boolean } | undefined;
}

type LoggedMessageId = string | number;

/** Summary of a message for the log. */
interface MessageSummary {
  readonly kind: Traffic['kind'];
  readonly id: LoggedMessageId | undefined;
  /** Method of the message; undefined for an answer. */
  readonly method: string | undefined;
  readonly target: string | undefined;
  readonly errorCode: number | undefined;
  /** Id of the request that a progress or cancellation notification refers to. */
  readonly about: LoggedMessageId | undefined;
}

/** Maximum characters of logged names and addresses, because longer ones are unreadable in a log line. */
const MAX_NAME_CHARACTERS = 1000;

/** Reads the method and target of a message, and nothing else of its content. */
function readMessage(message: object): MessageSummary {
  const { id, method, params, error } = message as Record<string, unknown>;
  const about = isJsonObject(params) ? (params['requestId'] ?? params['progressToken']) : undefined;
  const code = isJsonObject(error) ? error['code'] : undefined;
  return {
    kind: kindOf(message),
    id: toId(id),
    method: typeof method === 'string' ? short(method) : undefined,
    target: isJsonObject(params) ? targetIn(params) : undefined,
    errorCode: typeof code === 'number' ? code : undefined,
    about: toId(about),
  };
}

function kindOf(message: object): Traffic['kind'] {
  if ('method' in message) return 'id' in message ? 'request' : 'notification';
  return 'error' in message ? 'error' : 'result';
}

/** Returns the name of a tool or prompt, or the URI of a resource. */
function targetIn({ name, uri }: Readonly<Record<string, unknown>>): string | undefined {
  if (typeof name === 'string') return short(name);
  return typeof uri === 'string' ? short(uri) : undefined;
}

/** Cuts a text that is too long. The result is a copy, because a slice would keep the whole text in memory. */
function short(text: string): string {
  if (text.length <= MAX_NAME_CHARACTERS) return text;
  return `${Buffer.from(text.slice(0, MAX_NAME_CHARACTERS)).toString()}…`;
}

const toId = (id: unknown): LoggedMessageId | undefined =>
  typeof id === 'string' || typeof id === 'number' ? id : undefined;
