import { join } from 'node:path';
import { packageApp } from './package-app.mjs';
import { checkoutCache } from './paths.mjs';
import { prepareElectron, sandboxArguments } from './prepare.mjs';

/** Names how to start the two flavours, as JSON, to the tests of packages. */
export const TEST_PACKAGES_VARIABLE = 'MCP_CONTROL_PANEL_TEST_PACKAGES';

/**
 * Packages both flavours, unpacked, apart from what a person has in dist/. Linux only.
 * @returns {Promise<{ release: import('./prepare.mjs').LaunchCommand, test: import('./prepare.mjs').LaunchCommand }>}
 */
export async function packageFlavours() {
  await prepareElectron({ opensDisplay: true });
  const args = sandboxArguments();
  const command = async (/** @type {boolean} */ isTest) => {
    const output = join(checkoutCache, 'packages', isTest ? 'test' : 'release');
    const [app] = await packageApp({
      isTest,
      isRelease: false,
      output,
      builderArguments: ['--dir'],
    });
    return { executablePath: app?.binary ?? '', args };
  };
  return { release: await command(false), test: await command(true) };
}
