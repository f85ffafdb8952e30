import { createStore, type StoreApi } from 'zustand/vanilla';
import type { ErrorReport } from '../../shared/error-codes.ts';
import type { ControlPanelApi } from '../../shared/ipc-contract.ts';
import type { Settings } from '../../shared/settings.ts';
import { isSameJson, withValueAt } from '../entry/raw-entry.ts';
import { createTaskTable, type TaskTable } from './task-table.ts';
import type { TaskStatus } from './task.ts';

/**
 * Status of the last change of one setting. `about` is the new value, shown while the change is pending because a switch that
 * waits for the disk feels broken. The result is the number of changes so far, so that each one is confirmed.
 */
export type SettingStatus = TaskStatus<number, unknown>;

interface SettingsState {
  /** Settings; undefined until they have loaded, and always if the main process has none. */
  readonly settings: Settings | undefined;
}

export interface SettingsStore {
  readonly state: StoreApi<SettingsState>;
  /** Last change of each setting, by dotted path. */
  readonly changes: TaskTable<number, unknown>['state'];
  /** Loads the current settings. Never rejects. */
  load(): Promise<void>;
  /** Sets one value, by dotted path; undefined removes it. Never rejects: the outcome is in `changes`. */
  set(path: string, value: unknown): Promise<void>;
}

type SettingsApi = Pick<ControlPanelApi, 'getSettings' | 'putSettings'>;

export function createSettingsStore(
  api: SettingsApi,
  toReport: (reason: unknown) => ErrorReport,
  now: () => number,
): SettingsStore {
  const state = createStore<SettingsState>(() => ({ settings: undefined }));
  const changes = createTaskTable<number, unknown>({ toReport, now });
  let count = 0;

  async function load(): Promise<void> {
    // Without an answer there are no settings: the view of settings is hidden, and the app window keeps its theme.
    const answer = await api.getSettings().catch(() => undefined);
    if (answer === undefined || isSameJson(answer.settings, state.getState().settings)) return;
    state.setState({ settings: answer.settings });
  }

  async function set(path: string, value: unknown): Promise<void> {
    const save = async () => {
      await api.putSettings(withValueAt({}, path, value ?? null));
      await load();
      return (count += 1);
    };
    await changes.run(path, save, value);
  }
  return { state, changes: changes.state, load, set };
}
