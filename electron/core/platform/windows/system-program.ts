import { win32 } from 'node:path';
import { variableOf } from '../environment-names.ts';

const DEFAULT_ROOT = String.raw`C:\Windows`;

/**
 * Full path of a program that comes with Windows, because a bare name would be looked up in the working folder first.
 * @param name its path below System32
 */
export function systemProgram(
  environment: Readonly<Record<string, string | undefined>>,
  name: string,
): string {
  const root = variableOf(environment, 'SystemRoot', 'win32') ?? '';
  return win32.join(win32.isAbsolute(root) ? root : DEFAULT_ROOT, 'System32', name);
}
