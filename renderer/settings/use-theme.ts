import { type MantineColorScheme, useMantineColorScheme } from '@mantine/core';
import { useEffect } from 'react';
import { useStore } from 'zustand/react';
import type { Settings } from '../../shared/settings.ts';
import { useServices } from '../services.ts';
import { useSettings } from './use-settings.ts';

const toScheme = (theme: Settings['theme']): MantineColorScheme => (theme === 'system' ? 'auto' : theme);
const toTheme = (scheme: MantineColorScheme): Settings['theme'] => (scheme === 'auto' ? 'system' : scheme);

/**
 * Returns the colour scheme and a function that sets another scheme. The function changes the app window immediately, and saves
 * the scheme if settings are loaded.
 */
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
 * Applies the colour scheme of the settings, which takes precedence. The app window also stores a scheme, but only so that the
 * first paint has the right colours.
 */
export function useThemeOfSettings(): void {
  const { settings } = useServices();
  const theme = useSettings()?.theme;
  // While a choice is being saved, the settings still contain the previous scheme, which must not replace the chosen scheme.
  const isChoosing = useStore(settings.changes, ({ byKey }) => byKey.get('theme')?.phase === 'pending');
  const { setColorScheme } = useMantineColorScheme();
  useEffect(() => void settings.load(), [settings]);
  useEffect(() => {
    if (theme !== undefined && !isChoosing) setColorScheme(toScheme(theme));
  }, [theme, isChoosing, setColorScheme]);
}

type SystemScheme = Exclude<MantineColorScheme, 'auto'>;

/**
 * Returns the next scheme when the user cycles through all schemes with one key. The system's scheme is followed by the scheme
 * that looks different, so that the first press has a visible effect.
 */
export function nextScheme(scheme: MantineColorScheme, system: SystemScheme): MantineColorScheme {
  const other = system === 'light' ? 'dark' : 'light';
  if (scheme === 'auto') return other;
  return scheme === other ? system : 'auto';
}

export const systemScheme = (): SystemScheme =>
  window.matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
