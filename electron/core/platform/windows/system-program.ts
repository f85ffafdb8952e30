import { win32 } from 'node:path';
import { variableOf } from '../child-environment.ts';

/** Folder of Windows, used if the environment does not contain it. */
const DEFAULT_ROOT = String.raw`C:\Windows`;

/**
 * Returns the absolute path of a program that belongs to Windows. With a bare name, Windows would first search the working
 * folder, which may contain another program named `taskkill.exe`. @param name path of the program below System32, such as
 * `taskkill.exe`
 */
export function systemProgram(
  name: string,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): string {
  const root = variableOf(environment, 'SystemRoot', 'win32') ?? '';
  return win32.join(win32.isAbsolute(root) ? root : DEFAULT_ROOT, 'System32', name);
}
