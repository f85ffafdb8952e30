import { createStore } from 'zustand/vanilla';
import type { ControlPanelApi } from '../../shared/ipc-contract.ts';
import type { Settings } from '../../shared/settings.ts';
import { isSameJson, withValueAt } from '../entry/raw-entry.ts';
import { TaskTable, type TaskStatus } from './task.ts';

/**
 * Status of the last change of one setting. `about` is the new value. It is shown while the change is pending, because a switch
 * that waits for the disk feels broken. The result is the number of changes so far, so that each change is confirmed
 * separately.
 */
export type SettingStatus = TaskStatus<number, unknown>;

interface SettingsState {
  /** Settings of the panel. Undefined until they have loaded, and permanently if the main process does not have settings. */
  readonly settings: Settings | undefined;
}

export type SettingsStore = ReturnType<typeof createSettingsStore>;

export function createSettingsStore(api: Pick<ControlPanelApi, 'getSettings' | 'putSettings'>) {
  const state = createStore<SettingsState>(() => ({ settings: undefined }));
  const changes = new TaskTable<number, unknown>('replace');
  let count = 0;

  async function load(): Promise<void> {
    // If there is no answer, there are no settings: the view of the settings is hidden, and the app window keeps its theme.
    const answer = await api.getSettings().catch(() => undefined);
    if (answer === undefined || isSameJson(answer.settings, state.getState().settings)) return;
    state.setState({ settings: answer.settings });
  }
  return {
    state,
    /** Status of the last change of each setting, by dotted path. */
    changes: changes.state,
    /** Loads the current settings. Never rejects. */
    load,
    /** Sets one value by its dotted path, or removes it if `value` is undefined. Never rejects: the outcome is in `changes`. */
    set: async (path: string, value: unknown): Promise<void> => {
      const save = async () => {
        await api.putSettings(withValueAt({}, path, value ?? null));
        await load();
        return (count += 1);
      };
      await changes.run(path, save, value);
    },
  };
}
