import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/sdk/types.js';
import type { Clock } from '../../clock.ts';
import { Pace } from './answer-queue.ts';
import { delay } from '../../wait.ts';

interface Unanswered {
  /** Whether the request's stream has sent an event id. If so, the SDK automatically resumes the stream after it has ended. */
  isResumable: boolean;
  /** Id of the last event of the request's stream; undefined before the first event. */
  eventId?: string;
  hasEnded: boolean;
  isCancelled: boolean;
}

/** Interval between resumptions in ms, which limits a server to four resumed streams per second in the long run. */
const INTERVAL_MS = 250;
const BURST = 8;
/** Longest wait of a stream in ms; a stream that would have to wait longer is not resumed. */
const LONGEST_WAIT_MS = 25_000;
const MAX_FORGOTTEN = 1000;

/** Pending requests of one session, and the streams that are worth resuming for them. */
export class UnansweredRequests {
  readonly #requests = new Map<RequestId, Unanswered>();
  readonly #clock: Clock;
  readonly #pace: Pace;
  /** Last event ids of streams whose request has ended, oldest first. */
  readonly #forgotten = new Set<string>();

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#pace = new Pace({ clock, intervalMs: INTERVAL_MS, burst: BURST });
  }

  get size(): number {
    return this.#requests.size;
  }

  /** Adds a request. Returns a function that receives the event ids of its stream. */
  add(id: RequestId): (eventId: string) => void {
    const request: Unanswered = { isResumable: false, hasEnded: false, isCancelled: false };
    this.#requests.set(id, request);
    return (eventId) => {
      request.isResumable = true;
      request.eventId = eventId;
      if (request.isCancelled) this.#forget(request);
    };
  }

  get(id: RequestId): Unanswered | undefined {
    return this.#requests.get(id);
  }

  /** Returns the requests whose stream ended before their response. */
  ended(): readonly RequestId[] {
    return [...this.#requests].filter(([, { hasEnded }]) => hasEnded).map(([id]) => id);
  }

  /** If the message cancels a request, records this, so that a missing response is not seen as a failure. */
  noteCancellation(message: JSONRPCMessage): void {
    if (!('method' in message) || message.method !== 'notifications/cancelled') return;
    const request = this.#requests.get(message.params?.['requestId'] as RequestId);
    if (!request) return;
    request.isCancelled = true;
    this.#forget(request);
  }

  /** Removes a request, so that its stream is no longer resumed. */
  take(id: RequestId): Unanswered | undefined {
    const request = this.#requests.get(id);
    this.#requests.delete(id);
    if (request) this.#forget(request);
    return request;
  }

  /**
   * Called before the SDK automatically resumes a stream that ended after this event. Resolves when the stream may be resumed,
   * or when `signal` aborts. @throws Error if the stream must not be resumed
   */
  async mayResume(lastEventId: string, signal?: AbortSignal | null): Promise<void> {
    if (this.#forgotten.has(lastEventId)) throw new Error('No caller is waiting for this stream.');
    if (this.#pace.waitMs > LONGEST_WAIT_MS) throw new Error('Too many streams are to be continued.');
    const waitMs = this.#pace.take();
    if (waitMs > 0) await delay(this.#clock, waitMs, signal ?? undefined);
  }

  /** Records that the stream of this request must not be resumed. */
  #forget({ eventId }: Unanswered): void {
    if (eventId === undefined) return;
    this.#forgotten.add(eventId);
    const [oldest] = this.#forgotten;
    if (this.#forgotten.size > MAX_FORGOTTEN && oldest !== undefined) this.#forgotten.delete(oldest);
  }
}
