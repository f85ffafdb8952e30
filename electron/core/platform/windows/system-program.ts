import { win32 } from 'node:path';
import { variableOf } from '../environment-names.ts';

/** Where Windows is, unless it tells. */
const DEFAULT_ROOT = String.raw`C:\Windows`;

/**
 * Absolute path of a program that comes with Windows. A bare name would be looked for in the working folder first, and a
 * folder with a `taskkill.exe` in it would be obeyed.
 * @param name its path below System32, such as `taskkill.exe`
 */
export function systemProgram(
  name: string,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): string {
  const root = variableOf(environment, 'SystemRoot', 'win32') ?? '';
  return win32.join(win32.isAbsolute(root) ? root : DEFAULT_ROOT, 'System32', name);
}
