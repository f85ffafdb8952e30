import type { ElectronCommand } from '../e2e/support/electron-command.ts';

/** Packages by flavour, and how to start each. */
export interface Packages {
  readonly release: ElectronCommand;
  readonly test: ElectronCommand;
}

/**
 * Packages as made by the test runner.
 * @throws when the tests were started without it.
 */
export function packages(): Packages {
  const given = process.env['MCP_CONTROL_PANEL_TEST_PACKAGES'];
  if (given === undefined) throw new Error('packages are made and tested by: npm run test:package');
  return JSON.parse(given) as Packages;
}
