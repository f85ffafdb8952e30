import type { TextLevel } from '../../shared/log-level.ts';

/** Names of the choices of a least level. */
export const levelNames: Readonly<Record<TextLevel, string>> = {
  debug: 'Debug and above',
  info: 'Info and above',
  warning: 'Warnings and errors',
  error: 'Errors',
};
