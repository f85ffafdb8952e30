import { createStore, type StoreApi } from 'zustand/vanilla';
import { createTask, type SettledStatus, type Task, type TaskOptions, type TaskStatus } from './task.ts';

interface TaskTableState<Value, About> {
  readonly byKey: ReadonlyMap<string, TaskStatus<Value, About>>;
}

/** Tasks of one kind by key, for example one per server or setting. Tasks with different keys do not wait for each other. */
export interface TaskTable<Value = unknown, About = void> {
  readonly state: StoreApi<TaskTableState<Value, About>>;
  /** Runs a task, as `Task.run`. */
  readonly run: (
    key: string,
    work: () => Promise<Value>,
    about: About,
  ) => Promise<SettledStatus<Value, About> | undefined>;
  /** Resets a task, as `Task.reset`; its key is removed from the state. */
  readonly reset: (key: string) => void;
}

interface TaskTableOptions<Value, About> extends Omit<TaskOptions<Value, About>, 'publish'> {
  /** Whether an outcome stays in the state, which is the default; otherwise its key is removed. */
  readonly keeps?: (status: SettledStatus<Value, About>) => boolean;
}

export function createTaskTable<Value = unknown, About = void>({
  keeps = () => true,
  ...options
}: TaskTableOptions<Value, About>): TaskTable<Value, About> {
  const state = createStore<TaskTableState<Value, About>>(() => ({ byKey: new Map() }));
  const tasks = new Map<string, Task<Value, About>>();

  function put(key: string, status: TaskStatus<Value, About> | undefined): void {
    const byKey = new Map(state.getState().byKey);
    byKey.delete(key);
    if (status !== undefined && (status.phase === 'pending' || keeps(status))) byKey.set(key, status);
    state.setState({ byKey });
  }

  function taskOf(key: string): Task<Value, About> {
    const task = tasks.get(key) ?? createTask({ ...options, publish: (status) => put(key, status) });
    tasks.set(key, task);
    return task;
  }

  return {
    state,
    run: (key, work, about) => taskOf(key).run(work, about),
    reset: (key) => tasks.get(key)?.reset(),
  };
}
