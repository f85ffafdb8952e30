declare module 'vitest' {
  interface TaskMeta {
    /** Why a test did not run here; `npm run test:windows` counts tests by it. */
    skipReason?: string;
  }
}

/** Options of a test or a group: vitest hands `meta` on to what stands in a group. */
export interface SkipOptions {
  readonly skip: boolean;
  readonly meta: { readonly skipReason?: string };
}

/** A system whose part is played by wine is `win32` as well. */
export type System = 'linux' | 'darwin' | 'win32' | 'wine';

/** Whether Windows is played by wine, as scripts/test-windows.mjs says. */
const isUnderWine = process.env['MCP_CONTROL_PANEL_UNDER_WINE'] === '1';

const isSystem = (system: System) => (system === 'wine' ? isUnderWine : process.platform === system);

/** Keeps a test from a system on which it cannot hold, for a reason that the runs there count and tell. */
export function skipOn(system: System, reason: string): SkipOptions {
  return skipWhen(isSystem(system), reason);
}

/** Keeps a test to the one system of which it speaks. */
export function onlyOn(system: System, reason: string): SkipOptions {
  return skipWhen(!isSystem(system), reason);
}

/** Keeps a test from a machine that lacks what it needs. */
export function skipWhen(isLacking: boolean, reason: string): SkipOptions {
  return { skip: isLacking, meta: isLacking ? { skipReason: reason } : {} };
}

/** Options of tests with symbolic links. */
export const withLinks = skipOn('win32', 'a symbolic link needs a right of its own on Windows');
