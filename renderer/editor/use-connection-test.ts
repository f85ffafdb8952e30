import type { ConnectionTest } from '../../shared/manage.ts';
import { withKey, type RawEntry } from '../entry/raw-entry.ts';
import type { ManageApi } from '../store/manage-api.ts';
import type { TaskStatus } from '../store/task.ts';
import { useTask } from '../use-task.ts';

export interface ConnectionTesting {
  /** Undefined before the first test; `about` is the entry that is tested, which may have been edited since. */
  readonly status: TaskStatus<ConnectionTest, RawEntry> | undefined;
  readonly run: (entry: { readonly name: string } & RawEntry) => void;
}

/** Tries a server aside, without touching the one that may run. */
export function useConnectionTest(api: ManageApi): ConnectionTesting {
  const { status, run } = useTask<ConnectionTest, RawEntry>();
  return {
    status,
    run: (named) => void run(() => api.testConnection(named), withKey(named, 'name', undefined)),
  };
}
