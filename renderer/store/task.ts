import type { ErrorReport } from '../../shared/error-codes.ts';
import { toReport } from '../control-panel.ts';
import { createStore } from 'zustand/vanilla';
import type { ServerCommand } from '../../shared/server-states.ts';

/**
 * Status of the last run of a task. `about` is the subject of that run; `since` is the start of the current phase in epoch ms.
 */
export type TaskStatus<Value = unknown, About = unknown> = {
  readonly about: About;
  readonly since: number;
} & (
  | { readonly phase: 'pending' }
  | { readonly phase: 'done'; readonly value: Value }
  | { readonly phase: 'failed'; readonly error: ErrorReport }
);

export type SettledStatus<Value = unknown, About = unknown> = Exclude<
  TaskStatus<Value, About>,
  { readonly phase: 'pending' }
>;

/**
 * State machine for one command to the main process, as the app window shows it. `run` leads from no status, `done` or `failed`
 * to `pending`; the outcome leads from `pending` to `done` or `failed`; `reset` leads from any status to no status. Only the
 * latest run may publish its outcome; the outcomes of earlier runs are dropped.
 */
export class Task<Value, About = void> {
  readonly #publish: (status: TaskStatus<Value, About> | undefined) => void;
  readonly #whilePending: 'replace' | 'refuse';
  #current: TaskStatus<Value, About> | undefined;
  #isDisposed = false;

  /** @param whilePending if a run starts while another is pending: `replace` replaces that run, `refuse` refuses the new one */
  constructor(
    publish: (status: TaskStatus<Value, About> | undefined) => void,
    whilePending: 'replace' | 'refuse' = 'replace',
  ) {
    this.#publish = publish;
    this.#whilePending = whilePending;
  }

  /**
   * Does the work and publishes its status. Resolves with the outcome. Resolves with undefined if the run was refused, or if a
   * later run, `reset` or `dispose` happened before the work ended. Never rejects.
   */
  async run(work: () => Promise<Value>, about: About): Promise<SettledStatus<Value, About> | undefined> {
    if (this.#isDisposed || (this.#whilePending === 'refuse' && this.#current?.phase === 'pending'))
      return undefined;
    const pending: TaskStatus<Value, About> = { about, since: Date.now(), phase: 'pending' };
    this.#put(pending);
    const settled = await settle(work, about);
    if (this.#current !== pending) return undefined;
    this.#put(settled);
    return settled;
  }

  /** Removes the status of the last run. A pending run continues, but its outcome is not published. */
  reset(): void {
    if (!this.#isDisposed) this.#put(undefined);
  }

  /** Stops publishing permanently; later runs are refused. Idempotent. */
  dispose(): void {
    this.#isDisposed = true;
    this.#current = undefined;
  }

  #put(status: TaskStatus<Value, About> | undefined): void {
    this.#current = status;
    this.#publish(status);
  }
}

async function settle<Value, About>(
  work: () => Promise<Value>,
  about: About,
): Promise<SettledStatus<Value, About>> {
  try {
    const value = await work();
    return { about, since: Date.now(), phase: 'done', value };
  } catch (reason) {
    return { about, since: Date.now(), phase: 'failed', error: toReport(reason) };
  }
}

/** Tasks of one kind, each with its own key, such as one per server or setting. Different keys do not wait for each other. */
export class TaskTable<Value = unknown, About = void> {
  readonly state = createStore<{ readonly byKey: ReadonlyMap<string, TaskStatus<Value, About>> }>(() => ({
    byKey: new Map(),
  }));
  readonly #tasks = new Map<string, Task<Value, About>>();
  readonly #whilePending: 'replace' | 'refuse';
  readonly #keeps: (status: SettledStatus<Value, About>) => boolean;

  /**
   * @param whilePending same as for a `Task` @param keeps returns true if an outcome stays in the state; otherwise its key is
   * removed
   */
  constructor(
    whilePending: 'replace' | 'refuse',
    keeps: (status: SettledStatus<Value, About>) => boolean = () => true,
  ) {
    this.#whilePending = whilePending;
    this.#keeps = keeps;
  }

  /** Runs the task of a key, see `Task.run`. */
  run(
    key: string,
    work: () => Promise<Value>,
    about: About,
  ): Promise<SettledStatus<Value, About> | undefined> {
    const task =
      this.#tasks.get(key) ?? new Task<Value, About>((status) => this.#put(key, status), this.#whilePending);
    this.#tasks.set(key, task);
    return task.run(work, about);
  }

  /** Resets the task of a key, see `Task.reset`. The key is removed from the state. */
  reset(key: string): void {
    this.#tasks.get(key)?.reset();
  }

  #put(key: string, status: TaskStatus<Value, About> | undefined): void {
    const byKey = new Map(this.state.getState().byKey);
    byKey.delete(key);
    if (status !== undefined && (status.phase === 'pending' || this.#keeps(status))) byKey.set(key, status);
    this.state.setState({ byKey });
  }
}

export type ActionStore = ReturnType<typeof createActionStore>;

/** Creates the store with this app window's last command to each server, by server name. Keeps only pending and failed ones. */
export function createActionStore(
  commands: Readonly<Record<ServerCommand, (server: string) => Promise<unknown>>>,
) {
  const table = new TaskTable<unknown, ServerCommand>(
    'replace',
    (status) => status.phase === 'failed' && status.error.code !== 'SUPERSEDED',
  );
  return {
    state: table.state,
    /** Runs the command. Never rejects: a failure is stored in the state, and a superseded command is removed from it. */
    run: async (command: ServerCommand, server: string): Promise<void> => {
      await table.run(server, () => commands[command](server), command);
    },
    dismiss: (server: string) => table.reset(server),
  };
}
