declare module 'vitest' {
  interface TaskMeta {
    /** Reason why a test did not run here; `npm run test:windows` counts tests by reason. */
    skipReason?: string;
  }
}

/** Options of a test or a group; vitest passes `meta` on to the tests of a group. */
export interface SkipOptions {
  readonly skip: boolean;
  readonly meta: { readonly skipReason?: string };
}

/** Operating system of a test; Windows emulated by wine is `win32` as well. */
export type System = 'linux' | 'darwin' | 'win32' | 'wine';

/** Whether Windows is emulated by wine, set by scripts/test-windows.mjs. */
const isUnderWine = process.env['MCP_CONTROL_PANEL_UNDER_WINE'] === '1';

const isSystem = (system: System) => (system === 'wine' ? isUnderWine : process.platform === system);

/** Skips a test on a system on which it cannot hold, for a reason that these runs count and report. */
export function skipOn(system: System, reason: string): SkipOptions {
  return skipWhen(isSystem(system), reason);
}

/** Skips a test on all systems but one. */
export function onlyOn(system: System, reason: string): SkipOptions {
  return skipWhen(!isSystem(system), reason);
}

/** Skips a test on a machine that lacks a requirement. */
export function skipWhen(isLacking: boolean, reason: string): SkipOptions {
  return { skip: isLacking, meta: isLacking ? { skipReason: reason } : {} };
}

/** Options of tests with symbolic links. */
export const withLinks = skipOn('win32', 'a symbolic link needs a right of its own on Windows');

/** Options of tests with the mode of a file. */
export const withModes = skipOn('win32', 'Windows has no mode bits');
