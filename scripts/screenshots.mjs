// `npm run screenshots`: takes the pictures of the documentation from the built app. `npm run screenshots:tray`: takes those of
// the tray, on a separate desktop. `npm run screenshots:journey`: takes those of a new user's first steps, from the test of
// these steps. `npm run screenshots:all [-- folder]`: takes every view in every size, for review.
import { join } from 'node:path';
import { runEntry, ScriptError } from './lib/entry.mjs';
import { ensurePinnedNode } from './lib/install.mjs';
import { inModules, projectRoot } from './lib/paths.mjs';
import { withApp } from './lib/prepare.mjs';
import { runOrFail } from './lib/run-command.mjs';

/** Size of the screen. The largest pictured window fits on it. */
const SCREEN = '1920x1200x24';

/** Program of each set, for the pinned Node. @type {Record<string, string[]>} */
const SETS = {
  take: ['test/screenshots/take.ts'],
  tray: ['test/screenshots/tray.ts'],
  journey: [inModules('vitest', 'vitest.mjs'), 'run', '--project', 'e2e', 'test/e2e/journey.test.ts'],
  all: ['test/screenshots/take.ts', 'all'],
};

await runEntry(async () => {
  const [which = 'take', ...rest] = process.argv.slice(2);
  const program = SETS[which];
  if (program === undefined)
    throw new ScriptError(`"${which}" is no set of pictures.`, `Sets: ${Object.keys(SETS).join(', ')}`);
  // Without these variables, the tray gets a separate desktop. Its windows must not open on the user's screen.
  if (which === 'tray') for (const name of ['DISPLAY', 'WAYLAND_DISPLAY']) delete process.env[name];
  // Folder in which the test saves the pictures of the journey.
  const folder = { MCP_CONTROL_PANEL_PICTURES: join(projectRoot, 'docs/images/journey') };
  const take = async (/** @type {NodeJS.ProcessEnv} */ app) => {
    const options = { cwd: projectRoot, env: { ...app, ...folder } };
    await runOrFail('Taking screenshots', await ensurePinnedNode(), [...program, ...rest], options);
  };
  await withApp(take, { screen: SCREEN });
});
