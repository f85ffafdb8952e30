import { useStore } from 'zustand/react';
import type { Settings } from '../../shared/settings.ts';
import { useServices } from '../services.ts';
import type { RawEntry } from '../entry/raw-entry.ts';
import type { SettingStatus } from '../store/settings-store.ts';

export const useSettings = (): Settings | undefined =>
  useStore(useServices().settings.state, (state) => state.settings);

const none: RawEntry = {};

/** Returns the defaults that the user has changed, for servers that do not have their own settings. */
export const useSettingDefaults = (): RawEntry => useSettings()?.defaults ?? none;

export const useSettingStatus = (path: string): SettingStatus | undefined =>
  useStore(useServices().settings.changes, ({ byKey }) => byKey.get(path));
