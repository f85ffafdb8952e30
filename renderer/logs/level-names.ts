import type { TextLevel } from '../../shared/log-level.ts';

/** Labels of the choices for the lowest level shown. */
export const levelNames: Readonly<Record<TextLevel, string>> = {
  debug: 'Debug and above',
  info: 'Info and above',
  warning: 'Warnings and errors',
  error: 'Errors',
};
