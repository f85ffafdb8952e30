// `npm run test:chromium`: tests the built page in this machine's Chromium, Chrome or Edge, with a core of its own. The browser
// is found at the usual places, or named by MCP_CONTROL_PANEL_CHROMIUM; without one the tests are skipped with a message. The
// last line on stdout is `N passed, N failed, N skipped`.
import { ensureBuilt } from './lib/build-app.mjs';
import { note, runEntry } from './lib/entry.mjs';
import { CHROMIUM_VARIABLE, findChromium } from './lib/find-chromium.mjs';
import { ensureInstalled, ensurePinnedNode } from './lib/install.mjs';
import { inModules } from './lib/paths.mjs';
import { runStep } from './lib/run-step.mjs';
import { resultLine } from './lib/test-results.mjs';

/** @type {import('./lib/test-steps.mjs').Step} */
const STEP = {
  name: 'chromium',
  kind: 'vitest',
  args: [inModules('vitest', 'vitest.mjs'), 'run', '--project', 'chromium'],
};

await runEntry(async () => {
  const browser = findChromium();
  if (browser === undefined) {
    note(`skipped: no Chromium, Chrome or Edge was found here; ${CHROMIUM_VARIABLE} can name one`);
    print(resultLine({ passed: 0, failed: 0, skipped: 1 }));
    return 0;
  }
  await ensureInstalled();
  await ensureBuilt();
  note(`testing the page in ${browser}`);
  const env = { ...process.env, [CHROMIUM_VARIABLE]: browser };
  const patterns = process.argv.slice(2);
  const { counts, findings } = await runStep(STEP, { node: await ensurePinnedNode(), env, patterns });
  for (const finding of findings) print(finding);
  print(resultLine(counts));
  return counts.failed > 0 ? 1 : 0;
});

/** @param {string} line */
function print(line) {
  process.stdout.write(`${line}\n`);
}
