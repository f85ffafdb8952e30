import type { Clock, Disposable } from '../clock.ts';
import { Deadline } from '../deadline.ts';
import { excuse } from '../wait-times.ts';
import { callerDeadlineOf, type OpenCall } from './call-ledger.ts';

export interface CallCutoffOptions {
  readonly clock: Clock;
  /** It has left: its deadline counts. */
  readonly call: OpenCall;
  readonly caller: AbortSignal | undefined;
  /** Called once at most. */
  readonly onCut: (by: 'deadline' | 'caller') => void;
}

/**
 * Ends the wait of one caller, when the caller aborts or when the deadline of its call has passed. Dispose it with the call:
 * what the caller aborts later is no business of the server.
 */
export class CallCutoff implements Disposable {
  readonly #caller: AbortSignal | undefined;
  readonly #deadline: Deadline;
  readonly #onCut: CallCutoffOptions['onCut'];

  constructor({ clock, call, caller, onCut }: CallCutoffOptions) {
    this.#caller = caller;
    this.#onCut = onCut;
    const { timeoutMs, maxTotalMs } = call.limits;
    this.#deadline = new Deadline({
      clock,
      dueAtMs: () => callerDeadlineOf(call),
      limitMs: () => Math.min(timeoutMs, maxTotalMs),
      onAbsent: (absence) => excuse(call, absence, clock.now()),
      onPassed: () => this.#cut('deadline'),
    });
    caller?.addEventListener('abort', this.#onAbort, { once: true });
  }

  /** The deadline of the call has moved, other than by progress. */
  lookAgain(): void {
    this.#deadline.lookAgain();
  }

  dispose(): void {
    this.#deadline.dispose();
    this.#caller?.removeEventListener('abort', this.#onAbort);
  }

  readonly #onAbort = () => this.#cut('caller');

  #cut(by: 'deadline' | 'caller'): void {
    this.dispose();
    this.#onCut(by);
  }
}
