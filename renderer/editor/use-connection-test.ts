import type { ConnectionTest } from '../../shared/manage.ts';
import { withKey, type RawEntry } from '../entry/raw-entry.ts';
import type { ManageApi } from '../store/manage-api.ts';
import type { TaskStatus } from '../store/task.ts';
import { useTask } from '../use-task.ts';

export interface ConnectionTesting {
  /**
   * Status of the last test; undefined before the first. `about` is the tested entry, which may have been edited
   * since.
   */
  readonly status: TaskStatus<ConnectionTest, RawEntry> | undefined;
  readonly run: (entry: { readonly name: string } & RawEntry) => void;
}

/** Tests a server in its own process or connection, separate from a running one. */
export function useConnectionTest(api: ManageApi): ConnectionTesting {
  const { status, run } = useTask<ConnectionTest, RawEntry>();
  return {
    status,
    run: (named) => void run(() => api.testConnection(named), withKey(named, 'name', undefined)),
  };
}
