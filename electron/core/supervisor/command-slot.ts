import type { StateKind } from '../../../shared/server-states.ts';
import { PanelError } from '../../../shared/error-codes.ts';
import { createDeferred, type Deferred } from '../deferred.ts';

export type Command = 'start' | 'stop' | 'restart' | 'sleep';

/** Commands that are complete once the server is in a given state, keyed by that state. */
const goals: ReadonlyMap<StateKind, readonly Command[]> = new Map([
  ['stopped', ['stop']],
  ['asleep', ['sleep']],
  ['running', ['start', 'restart']],
  ['suspect', ['start', 'restart']],
]);

interface Pending {
  readonly command: Command;
  /** True if an MCP client or the user waits for the outcome of the command. */
  isAwaited: boolean;
  readonly outcome: Deferred<void>;
}

/**
 * Holds the command that a server is currently executing. A new command replaces an earlier one, which is rejected with
 * SUPERSEDED, unless the earlier one already achieves what the new one asks for.
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

  get isAwaited(): boolean {
    return this.#pending?.isAwaited === true;
  }

  /** Returns the command's promise, and whether the command is new and must be executed. */
  submit(command: Command, isAwaited = true): { readonly promise: Promise<void>; readonly isNew: boolean } {
    const before = this.#pending;
    if (before && joins(command, before.command)) {
      before.isAwaited ||= isAwaited;
      return { promise: before.outcome.promise, isNew: false };
    }
    const outcome = createDeferred<void>();
    this.#pending = { command, isAwaited, outcome };
    before?.outcome.reject(
      new PanelError(
        'SUPERSEDED',
        `"${before.command}" of ${this.#name} was superseded by a later "${command}".`,
      ),
    );
    return { promise: outcome.promise, isNew: true };
  }

  /** Resolves the current command if that state is its goal. */
  reached(kind: StateKind): void {
    this.#take(goals.get(kind) ?? [])?.outcome.resolve();
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
