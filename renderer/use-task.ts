import { useCallback, useEffect, useRef, useState } from 'react';
import { toReport } from './control-panel.ts';
import { createTask, type Task, type TaskStatus } from './store/task.ts';

export interface UsedTask<Value, About> extends Pick<Task<Value, About>, 'run' | 'reset'> {
  /** Status of the task; undefined before the first run. */
  readonly status: TaskStatus<Value, About> | undefined;
}

/** Task with the lifetime of its component; a later run replaces an earlier one. */
export function useTask<Value, About = void>(): UsedTask<Value, About> {
  const [status, setStatus] = useState<TaskStatus<Value, About>>();
  const task = useRef<Task<Value, About>>(undefined);
  useEffect(() => {
    const created = createTask<Value, About>({ toReport, now: Date.now, publish: setStatus });
    task.current = created;
    return () => created.dispose();
  }, []);
  const run = useCallback<Task<Value, About>['run']>(
    async (work, about) => task.current?.run(work, about),
    [],
  );
  const reset = useCallback(() => task.current?.reset(), []);
  return { status, run, reset };
}
