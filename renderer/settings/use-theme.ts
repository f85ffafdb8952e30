import { type MantineColorScheme, useMantineColorScheme } from '@mantine/core';
import { useEffect } from 'react';
import { useStore } from 'zustand/react';
import type { Settings } from '../../shared/settings.ts';
import { useServices } from '../services.ts';
import { useSettings } from './use-settings.ts';

const toScheme = (theme: Settings['theme']): MantineColorScheme => (theme === 'system' ? 'auto' : theme);
const toTheme = (scheme: MantineColorScheme): Settings['theme'] => (scheme === 'auto' ? 'system' : scheme);

/** Colour scheme, and a function that sets another: for the app window at once, and for good if settings are loaded. */
export function useTheme(): readonly [MantineColorScheme, (scheme: MantineColorScheme) => void] {
  const { settings } = useServices();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const choose = (scheme: MantineColorScheme) => {
    setColorScheme(scheme);
    if (settings.state.getState().settings !== undefined) void settings.set('theme', toTheme(scheme));
  };
  return [colorScheme, choose];
}

/**
 * Applies the scheme of the settings, which take precedence; the scheme kept by the app window only gives the first paint
 * the right colours.
 */
export function useThemeOfSettings(): void {
  const { settings } = useServices();
  const theme = useSettings()?.theme;
  // While a choice is being saved, the settings still have the scheme from before, which must not replace the chosen one.
  const isChoosing = useStore(settings.changes, ({ byKey }) => byKey.get('theme')?.phase === 'pending');
  const { setColorScheme } = useMantineColorScheme();
  useEffect(() => void settings.load(), [settings]);
  useEffect(() => {
    if (theme !== undefined && !isChoosing) setColorScheme(toScheme(theme));
  }, [theme, isChoosing, setColorScheme]);
}

type SystemScheme = Exclude<MantineColorScheme, 'auto'>;

/**
 * Scheme that follows when one key cycles through all of them. After the system's scheme comes the one that looks
 * different, so that the first press has a visible effect.
 */
export function nextScheme(scheme: MantineColorScheme, system: SystemScheme): MantineColorScheme {
  const other = system === 'light' ? 'dark' : 'light';
  if (scheme === 'auto') return other;
  return scheme === other ? system : 'auto';
}

export const systemScheme = (): SystemScheme =>
  window.matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
