import { createStore } from 'zustand/vanilla';
import { type SettledStatus, Task, type TaskStatus } from './task.ts';

/** Tasks of one kind by key, for example one per server or setting. Tasks with different keys do not wait for each other. */
export class TaskTable<Value = unknown, About = void> {
  readonly state = createStore<{ readonly byKey: ReadonlyMap<string, TaskStatus<Value, About>> }>(() => ({
    byKey: new Map(),
  }));
  readonly #tasks = new Map<string, Task<Value, About>>();
  readonly #whilePending: 'replace' | 'refuse';
  readonly #keeps: (status: SettledStatus<Value, About>) => boolean;

  /**
   * @param whilePending as that of a task
   * @param keeps whether an outcome stays in the state; otherwise its key is removed
   */
  constructor(
    whilePending: 'replace' | 'refuse',
    keeps: (status: SettledStatus<Value, About>) => boolean = () => true,
  ) {
    this.#whilePending = whilePending;
    this.#keeps = keeps;
  }

  /** Runs a task, as `Task.run`. */
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

  /** Resets a task, as `Task.reset`; its key is removed from the state. */
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
