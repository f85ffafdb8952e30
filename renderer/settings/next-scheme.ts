import type { MantineColorScheme } from '@mantine/core';

export type SystemScheme = Exclude<MantineColorScheme, 'auto'>;

/**
 * Scheme that follows when one key goes through all of them. The system's is followed by the one that looks
 * different, so that the first press is seen to do something.
 */
export function nextScheme(scheme: MantineColorScheme, system: SystemScheme): MantineColorScheme {
  const other = system === 'light' ? 'dark' : 'light';
  if (scheme === 'auto') return other;
  return scheme === other ? system : 'auto';
}

export const systemScheme = (): SystemScheme =>
  window.matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
