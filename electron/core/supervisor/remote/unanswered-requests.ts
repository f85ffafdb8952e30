import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/sdk/types.js';
import type { Clock } from '../../clock.ts';
import { Pace } from './pace.ts';
import { delay } from '../../wait.ts';

/** A request without an answer. */
export interface Unanswered {
  /** Its stream can be continued after it has ended, and the SDK does so. */
  isResumable: boolean;
  /** Of the last event of that stream. */
  eventId?: string;
  hasEnded: boolean;
  isCancelled: boolean;
}

/** The requests of one session that somebody may wait for, and the streams that are worth continuing for them. */
export class UnansweredRequests {
  readonly #requests = new Map<RequestId, Unanswered>();
  readonly #resumptions: ResumptionGate;

  constructor(clock: Clock) {
    this.#resumptions = new ResumptionGate(clock);
  }

  get size(): number {
    return this.#requests.size;
  }

  /** A request leaves. Returns who is to hear the ids of its stream's events. */
  add(id: RequestId): (eventId: string) => void {
    const request: Unanswered = { isResumable: false, hasEnded: false, isCancelled: false };
    this.#requests.set(id, request);
    return (eventId) => {
      request.isResumable = true;
      request.eventId = eventId;
      if (request.isCancelled) this.#resumptions.forget(eventId);
    };
  }

  get(id: RequestId): Unanswered | undefined {
    return this.#requests.get(id);
  }

  /** Those whose stream has ended before their answer came. */
  ended(): readonly RequestId[] {
    return [...this.#requests].filter(([, { hasEnded }]) => hasEnded).map(([id]) => id);
  }

  /** A cancelled request is not answered, and that is no sign of trouble. */
  noteCancellation(message: JSONRPCMessage): void {
    if (!('method' in message) || message.method !== 'notifications/cancelled') return;
    const request = this.#requests.get(message.params?.['requestId'] as RequestId);
    if (!request) return;
    request.isCancelled = true;
    if (request.eventId !== undefined) this.#resumptions.forget(request.eventId);
  }

  /** Nobody waits for it any more, so its stream need not be continued. */
  take(id: RequestId): Unanswered | undefined {
    const request = this.#requests.get(id);
    this.#requests.delete(id);
    if (request?.eventId !== undefined) this.#resumptions.forget(request.eventId);
    return request;
  }

  /** Settles when the stream that `eventId` belongs to may be continued. @throws Error when it may not */
  mayResume(eventId: string, signal: AbortSignal | null | undefined): Promise<void> {
    return this.#resumptions.pass(eventId, signal);
  }
}

/** Four streams of a server a second are continued at length. */
const INTERVAL_MS = 250;
const BURST = 8;
/** None that would have to wait for longer. */
const LONGEST_WAIT_MS = 25_000;
const MAX_FORGOTTEN = 1000;

/**
 * When an event stream that has ended may be continued. The SDK tries for as long as the server lets it, also for a
 * request that nobody waits for any more, and takes the server's word for how soon.
 */
export class ResumptionGate {
  readonly #clock: Clock;
  readonly #pace: Pace;
  /** Last events of streams whose request is over, oldest first. */
  readonly #forgotten = new Set<string>();

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#pace = new Pace({ clock, intervalMs: INTERVAL_MS, burst: BURST });
  }

  /** The stream that this event belongs to is for nobody any more. */
  forget(eventId: string): void {
    this.#forgotten.add(eventId);
    const [oldest] = this.#forgotten;
    if (this.#forgotten.size > MAX_FORGOTTEN && oldest !== undefined) this.#forgotten.delete(oldest);
  }

  /** Resolves when it may, or when `signal` aborts. @throws Error when it may not */
  async pass(lastEventId: string, signal?: AbortSignal | null): Promise<void> {
    if (this.#forgotten.has(lastEventId)) throw new Error('Nobody waits for this stream any more.');
    if (this.#pace.waitMs > LONGEST_WAIT_MS) throw new Error('Too many streams are to be continued.');
    const waitMs = this.#pace.take();
    if (waitMs > 0) await delay(this.#clock, waitMs, signal ?? undefined);
  }
}
