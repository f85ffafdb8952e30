import { createStore, type StoreApi } from 'zustand/vanilla';
import { createTask, type SettledStatus, type Task, type TaskOptions, type TaskStatus } from './task.ts';

export interface TaskTableState<Value, About> {
  readonly byKey: Readonly<Record<string, TaskStatus<Value, About>>>;
}

/** Tasks of one kind, by key: one per server, per setting or per question. Keys do not wait for each other. */
export interface TaskTable<Value = unknown, About = void> {
  readonly state: StoreApi<TaskTableState<Value, About>>;
  /** Runs a task, as `Task.run`. */
  readonly run: (
    key: string,
    work: () => Promise<Value>,
    about: About,
  ) => Promise<SettledStatus<Value, About> | undefined>;
  /** Resets a task, as `Task.reset`: the key leaves the state. */
  readonly reset: (key: string) => void;
}

interface TaskTableOptions<Value, About> extends Omit<TaskOptions<Value, About>, 'publish'> {
  /** Whether an outcome stays in the state, which is the default; otherwise its key leaves it. */
  readonly keeps?: (status: SettledStatus<Value, About>) => boolean;
}

export function createTaskTable<Value = unknown, About = void>({
  keeps = () => true,
  ...options
}: TaskTableOptions<Value, About>): TaskTable<Value, About> {
  const state = createStore<TaskTableState<Value, About>>(() => ({ byKey: {} }));
  const tasks = new Map<string, Task<Value, About>>();

  function put(key: string, status: TaskStatus<Value, About> | undefined): void {
    const others = Object.fromEntries(
      Object.entries(state.getState().byKey).filter(([other]) => other !== key),
    );
    const isKept = status !== undefined && (status.phase === 'pending' || keeps(status));
    state.setState({ byKey: isKept ? { ...others, [key]: status } : others });
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
