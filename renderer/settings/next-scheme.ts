import type { MantineColorScheme } from '@mantine/core';

export type SystemScheme = Exclude<MantineColorScheme, 'auto'>;

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
