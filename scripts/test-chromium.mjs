// `npm run test:chromium`: tests the built page in this machine's Chromium, Chrome or Edge, with its own core (the part of the
// panel that runs the servers). The browser is the one that MCP_CONTROL_PANEL_CHROMIUM names, else the first one found at a
// usual path. If there is none, the tests are skipped with a message. The last line on stdout is `N passed, N failed, N
// skipped`.
import { ensureBuilt } from './lib/build-app.mjs';
import { note, runEntry } from './lib/entry.mjs';
import { CHROMIUM_VARIABLE, findChromium } from './lib/find-chromium.mjs';
import { ensureInstalled, ensurePinnedNode } from './lib/install.mjs';
import { inModules } from './lib/paths.mjs';
import { runLane, skipLane } from './lib/run-step.mjs';

/** @type {import('./lib/test-steps.mjs').Step} */
const STEP = {
  name: 'chromium',
  kind: 'vitest',
  args: [inModules('vitest', 'vitest.mjs'), 'run', '--project', 'chromium'],
};

await runEntry(async () => {
  const browser = findChromium();
  if (browser === undefined)
    return skipLane(`no Chromium, Chrome or Edge was found here; ${CHROMIUM_VARIABLE} can name one`);
  await ensureInstalled();
  await ensureBuilt();
  note(`testing the page in ${browser}`);
  const env = { ...process.env, [CHROMIUM_VARIABLE]: browser };
  const patterns = process.argv.slice(2);
  return runLane(STEP, { node: await ensurePinnedNode(), env, patterns });
});
