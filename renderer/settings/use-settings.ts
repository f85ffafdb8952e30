import { useStore } from 'zustand/react';
import type { Settings } from '../../shared/settings.ts';
import { useServices } from '../services.ts';
import type { SettingStatus } from '../store/settings-store.ts';

export const useSettings = (): Settings | undefined =>
  useStore(useServices().settings.state, (state) => state.settings);

export const useSettingStatus = (path: string): SettingStatus | undefined =>
  useStore(useServices().settings.changes, ({ byKey }) => byKey.get(path));
