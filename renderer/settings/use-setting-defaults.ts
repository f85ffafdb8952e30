import { useStore } from 'zustand/react';
import { useServices } from '../services.ts';
import type { RawEntry } from '../entry/raw-entry.ts';

const none: RawEntry = {};

/** What holds for servers that set nothing themselves, where it differs from our own defaults. */
export const useSettingDefaults = (): RawEntry =>
  useStore(useServices().settings.state, (state) => state.settings?.defaults) ?? none;
