import type { ElectronCommand } from '../e2e/support/electron-command.ts';

/** How to start each flavour of the package. */
export interface Packages {
  readonly release: ElectronCommand;
  readonly test: ElectronCommand;
}

/** Made by the test runner. @throws when the tests were started without it. */
export function packages(): Packages {
  const given = process.env['MCP_CONTROL_PANEL_TEST_PACKAGES'];
  if (given === undefined) throw new Error('packages are made and tested by: npm run test:package');
  return JSON.parse(given) as Packages;
}
