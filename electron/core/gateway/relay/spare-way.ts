import type { ServerConfig } from '../../../../shared/server-config.ts';
import { createDeferred } from '../../deferred.ts';
import { spareSlot, type Slot } from '../../sessions/slot.ts';
import type { SessionFacts } from '../types.ts';
import { contextIdOf } from './client-hold.ts';
import type { Place } from './place.ts';
import type { Places } from './places.ts';
import type { Hold, RelayLease, RelayOptions } from './relay-options.ts';
import { SPARE_AFTER_MS, spareStep, type SpareFacts } from './spare-step.ts';
import type { TurnLine } from './turn-line.ts';

export interface SpareWayOptions extends Pick<
  RelayOptions,
  'clock' | 'sessions' | 'servers' | 'slotOf' | 'sparesOf'
> {
  readonly facts: SessionFacts;
  readonly places: Places;
  /** Where calls of the session go now. @throws PanelError SERVER_UNKNOWN, SESSION_CLOSED */
  readonly place: () => Place;
  /** The spare of the session has ended, and calls go where they went before. */
  readonly onSpareEnded: () => void;
}

interface Candidate {
  readonly slot: Slot;
  /** Name of the slot that it is beside. */
  readonly base: string;
  readonly hold: Hold;
}

interface Spare extends Candidate {
  readonly lease: RelayLease;
}

/** A further process that did not start is not tried again for so long. */
const RETRY_MS = 60_000;

/**
 * One client session's way to a further process of a server that answers calls in turn. A session that has moved there
 * stays, so that its calls are not spread over processes, until that process ends.
 */
export class SpareWay {
  readonly #options: SpareWayOptions;
  readonly #ending = new AbortController();
  #candidate: Candidate | undefined;
  #opening: Promise<void> | undefined;
  #spare: Spare | undefined;
  #retryAtMs = -Infinity;

  constructor(options: SpareWayOptions) {
    this.#options = options;
  }

  /** As `RelayOptions.slotOf`, or the spare that the session has moved to. */
  slotOf(config: ServerConfig): Slot {
    const { slotOf, sparesOf, facts } = this.#options;
    const base = slotOf(config, facts);
    const spare = this.#spare;
    if (!spare) return base;
    if (spare.base === base.name && !spare.lease.hasEnded && sparesOf(config)) return spare.slot;
    this.#leaveSpare();
    return base;
  }

  /** Resolves when a call of a tool may be written; what it resolves to is called at its end. Undefined where nobody waits for anybody. */
  turn(signal: AbortSignal): Promise<() => void> | undefined {
    return this.#rule() && this.#takeTurn(signal);
  }

  /** The session is over. Idempotent. */
  end(): void {
    this.#ending.abort(new Error('The session is over.'));
    this.#leaveSpare();
    this.#dropCandidate();
  }

  #rule() {
    const { servers, sparesOf, facts } = this.#options;
    const config = servers.find(facts.server)?.config;
    return config && sparesOf(config);
  }

  async #takeTurn(signal: AbortSignal): Promise<() => void> {
    const { clock, facts, place } = this.#options;
    const beganAtMs = clock.now();
    for (;;) {
      signal.throwIfAborted();
      const { line } = place();
      const heldMs = clock.now() - beganAtMs;
      const isBusy = line.isBusyFor(facts.nonce);
      const isOnSpare = this.#spare !== undefined;
      const spare = isBusy && !isOnSpare ? this.#look() : 'none';
      switch (spareStep({ isBusy, isOnSpare, spare, heldMs })) {
        case 'write':
          if (!this.#opening) this.#dropCandidate();
          return line.enter(facts.nonce);
        case 'move':
          this.#move();
          break;
        case 'open':
          this.#open();
          break;
        case 'hold':
          await this.#change(line, heldMs, signal);
      }
    }
  }

  /** Whether there is a spare for the session, which is its candidate then. */
  #look(): SpareFacts['spare'] {
    const { clock, sessions, servers, slotOf, places, facts } = this.#options;
    const { server, nonce } = facts;
    if (this.#opening) return 'opening';
    const config = servers.find(server)?.config;
    const rule = this.#rule();
    if (!config || !rule || clock.now() < this.#retryAtMs) return 'none';
    const base = slotOf(config, facts);
    const canShare = (place: Place | undefined) =>
      place?.isConnected === true && !place.line.isBusyFor(nonce);
    const number = places.claims(server, base.name).claim(nonce, {
      open: (free) => sessions.hasRoom(server, spareSlot(base, free), rule.reserve),
      share: (taken) => canShare(places.find(server, spareSlot(base, taken))),
    });
    if (number === undefined) return 'none';
    const { hold } = this.#candidateAt(base, spareSlot(base, number));
    return hold.current ? 'open' : 'possible';
  }

  #candidateAt(base: Slot, slot: Slot): Candidate {
    if (this.#candidate?.slot.name === slot.name) return this.#candidate;
    const { sessions, facts } = this.#options;
    void this.#candidate?.hold.release();
    const hold = sessions.hold(contextIdOf(facts), facts.server, slot);
    return (this.#candidate = { slot, base: base.name, hold });
  }

  #move(): void {
    const candidate = this.#candidate;
    const lease = candidate?.hold.current;
    if (!candidate || !lease) return;
    this.#candidate = undefined;
    this.#spare = { ...candidate, lease };
    void lease.link.closed.then(() => this.#options.onSpareEnded());
  }

  /** It goes on when the call that asked for it is written elsewhere meanwhile: the next one finds it open. */
  #open(): void {
    const { clock, servers, facts } = this.#options;
    const deadlineMs = servers.find(facts.server)?.config.panel.startMaxMs;
    const acquired = this.#candidate?.hold.acquire({
      signal: this.#ending.signal,
      mayStart: false,
      ...(deadlineMs !== undefined && { deadlineMs }),
    });
    this.#opening = acquired?.then(
      () => {
        this.#opening = undefined;
        this.#move();
      },
      () => {
        this.#opening = undefined;
        this.#retryAtMs = clock.now() + RETRY_MS;
        this.#dropCandidate();
      },
    );
  }

  /** Resolves when there may be something else to do: a call has ended, the spare is open, the call has waited for long enough. */
  async #change(line: TurnLine, heldMs: number, signal: AbortSignal): Promise<void> {
    const happened = createDeferred<void>();
    const wake = () => happened.resolve();
    const undo = line.onLeft(wake);
    const timer = this.#options.clock.setTimeout(wake, Math.max(1, SPARE_AFTER_MS - heldMs));
    if (this.#opening) timer.dispose();
    void this.#opening?.then(wake);
    signal.addEventListener('abort', wake, { once: true });
    await happened.promise;
    undo();
    timer.dispose();
    signal.removeEventListener('abort', wake);
  }

  #leaveSpare(): void {
    const spare = this.#spare;
    this.#spare = undefined;
    if (spare) this.#giveBack(spare);
  }

  #dropCandidate(): void {
    const candidate = this.#candidate;
    this.#candidate = undefined;
    if (candidate) this.#giveBack(candidate);
  }

  #giveBack({ hold, base }: Candidate): void {
    const { places, facts } = this.#options;
    places.claims(facts.server, base).release(facts.nonce);
    void hold.release();
  }
}
