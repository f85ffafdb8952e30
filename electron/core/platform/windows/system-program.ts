import { win32 } from 'node:path';

/** Where Windows is, unless it tells. */
const DEFAULT_ROOT = 'C:\\Windows';

/**
 * Absolute path of a program that comes with Windows. A bare name would be looked for in the working folder first, and a
 * folder with a `taskkill.exe` in it would be obeyed.
 * @param name below System32, such as `taskkill.exe`
 */
export function systemProgram(name: string, env: NodeJS.ProcessEnv = process.env): string {
  const root = env['SystemRoot'] ?? '';
  return win32.join(win32.isAbsolute(root) ? root : DEFAULT_ROOT, 'System32', name);
}
