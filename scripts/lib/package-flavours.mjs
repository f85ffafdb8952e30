import { join } from 'node:path';
import { packageApp } from './package-app.mjs';
import { checkoutCache } from './paths.mjs';
import { prepareElectron, sandboxArguments } from './prepare.mjs';

/** Variable with the start commands of the two flavours as JSON, for the tests of packages. */
export const TEST_PACKAGES_VARIABLE = 'MCP_CONTROL_PANEL_TEST_PACKAGES';

/**
 * Packages both flavours, unpacked, outside dist/, whose contents stay. Linux only.
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
