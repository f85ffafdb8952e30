import { createStore, type StoreApi } from 'zustand/vanilla';
import type { ErrorReport } from '../../shared/error-codes.ts';
import type { ControlPanelApi } from '../../shared/ipc-contract.ts';
import type { Settings } from '../../shared/settings.ts';
import { isSameJson, withValueAt } from '../entry/raw-entry.ts';

/** What became of the last change of one setting. */
export type SettingStatus =
  /** Shown already: a switch that waits for the disk feels broken. */
  | { readonly phase: 'saving'; readonly value: unknown }
  /** `count` grows with each saving, so that each is confirmed. */
  | { readonly phase: 'saved'; readonly count: number }
  | { readonly phase: 'failed'; readonly error: ErrorReport };

export interface SettingsState {
  /** Undefined until they have been read; for good, where the main process knows none. */
  readonly settings: Settings | undefined;
  readonly byPath: Readonly<Record<string, SettingStatus>>;
}

export interface SettingsStore {
  readonly state: StoreApi<SettingsState>;
  /** Reads what is in force. Never rejects. */
  load(): Promise<void>;
  /** Sets one value, by dotted path; undefined takes it away. Never rejects: the outcome is in the state. */
  set(path: string, value: unknown): Promise<void>;
}

export type SettingsApi = Pick<ControlPanelApi, 'getSettings' | 'putSettings'>;

export function createSettingsStore(
  api: SettingsApi,
  toReport: (reason: unknown) => ErrorReport,
): SettingsStore {
  const state = createStore<SettingsState>(() => ({ settings: undefined, byPath: {} }));
  const put = (path: string, status: SettingStatus) =>
    state.setState({ byPath: { ...state.getState().byPath, [path]: status } });
  let count = 0;

  async function load(): Promise<void> {
    // Without an answer the panel has no settings: the view stays away, and the theme is kept by the window.
    const answer = await api.getSettings().catch(() => undefined);
    if (answer === undefined || isSameJson(answer.settings, state.getState().settings)) return;
    state.setState({ settings: answer.settings });
  }

  async function set(path: string, value: unknown): Promise<void> {
    put(path, { phase: 'saving', value });
    try {
      await api.putSettings(withValueAt({}, path, value ?? null));
      await load();
      put(path, { phase: 'saved', count: (count += 1) });
    } catch (reason) {
      put(path, { phase: 'failed', error: toReport(reason) });
    }
  }
  return { state, load, set };
}
