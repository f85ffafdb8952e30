import { PanelError } from '../../../shared/error-codes.ts';
import { createDeferred, type Deferred } from '../deferred.ts';

export type Command = 'start' | 'stop' | 'restart';

interface Pending {
  readonly command: Command;
  /** A client or a person waits for it. */
  isAwaited: boolean;
  readonly outcome: Deferred<void>;
}

/**
 * The one command under way for one key. The latest wins: another kind of command rejects the one before it with
 * SUPERSEDED. The same command again joins it, and a start joins a restart, since both want the same end.
 */
export class CommandSlot {
  readonly #name: string;
  #pending: Pending | undefined;

  constructor(name: string) {
    this.#name = name;
  }

  get pending(): Command | undefined {
    return this.#pending?.command;
  }

  /** Whether a client or a person waits for the command under way. */
  get isAwaited(): boolean {
    return this.#pending?.isAwaited === true;
  }

  /** The promise of the command, and whether it is a new one that has to be acted on. */
  submit(command: Command, isAwaited = true): { readonly promise: Promise<void>; readonly isNew: boolean } {
    const before = this.#pending;
    if (before && joins(command, before.command)) {
      before.isAwaited ||= isAwaited;
      return { promise: before.outcome.promise, isNew: false };
    }
    const outcome = createDeferred<void>();
    this.#pending = { command, isAwaited, outcome };
    before?.outcome.reject(
      new PanelError('SUPERSEDED', `"${before.command}" of ${this.#name} gave way to a later "${command}".`),
    );
    return { promise: outcome.promise, isNew: true };
  }

  /** The wanted end is reached; nothing happens when another command is under way. */
  resolve(...commands: readonly Command[]): void {
    this.#take(commands)?.outcome.resolve();
  }

  reject(error: unknown, ...commands: readonly Command[]): void {
    this.#take(commands)?.outcome.reject(error);
  }

  #take(commands: readonly Command[]): Pending | undefined {
    const pending = this.#pending;
    if (!pending || !commands.includes(pending.command)) return undefined;
    this.#pending = undefined;
    return pending;
  }
}

function joins(command: Command, pending: Command): boolean {
  return command === pending || (command === 'start' && pending === 'restart');
}
