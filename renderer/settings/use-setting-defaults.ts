import { useStore } from 'zustand/react';
import { useServices } from '../services.ts';
import type { RawEntry } from '../entry/raw-entry.ts';

const none: RawEntry = {};

/** Defaults for servers without own settings, as far as the user changed them. */
export const useSettingDefaults = (): RawEntry =>
  useStore(useServices().settings.state, (state) => state.settings?.defaults) ?? none;
