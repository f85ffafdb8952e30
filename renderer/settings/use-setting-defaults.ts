import { useStore } from 'zustand/react';
import { useServices } from '../services.ts';
import type { RawEntry } from '../entry/raw-entry.ts';

const none: RawEntry = {};

/** Defaults for servers that set nothing themselves, where they differ from our own. */
export const useSettingDefaults = (): RawEntry =>
  useStore(useServices().settings.state, (state) => state.settings?.defaults) ?? none;
