import type { MantineColorScheme } from '@mantine/core';

export type SystemScheme = Exclude<MantineColorScheme, 'auto'>;

/**
 * What comes after a scheme where one key goes through all of them: from the system's on to what looks different, so that
 * the first press is seen to do something.
 */
export function nextScheme(scheme: MantineColorScheme, system: SystemScheme): MantineColorScheme {
  const other = system === 'light' ? 'dark' : 'light';
  if (scheme === 'auto') return other;
  return scheme === other ? system : 'auto';
}

export const systemScheme = (): SystemScheme =>
  window.matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
