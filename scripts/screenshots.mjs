// `npm run screenshots`: takes the pictures of the documentation from the built app. `npm run screenshots:tray`: those of
// the tray, on a desktop of its own. `npm run screenshots:all [-- folder]`: every view in every size, to look at.
import { openDisplay } from './lib/display.mjs';
import { runEntry, ScriptError } from './lib/entry.mjs';
import { ensurePinnedNode } from './lib/install.mjs';
import { projectRoot } from './lib/paths.mjs';
import { prepareApp, TEST_ELECTRON_VARIABLE } from './lib/prepare.mjs';
import { runOrFail } from './lib/run-command.mjs';

/** Room for the largest window that is pictured. */
const SCREEN = '1920x1200x24';

/** @type {Record<string, string>} */
const SCRIPTS = {
  take: 'test/screenshots/take.ts',
  tray: 'test/screenshots/tray.ts',
  all: 'test/screenshots/matrix.ts',
};

await runEntry(async () => {
  const [which, ...rest] = process.argv.slice(2);
  const script = SCRIPTS[which ?? 'take'];
  if (script === undefined)
    throw new ScriptError(`"${which}" is no set of pictures.`, `Sets: ${Object.keys(SCRIPTS).join(', ')}`);
  // Never the screen of whoever runs it.
  if (which === 'tray') for (const name of ['DISPLAY', 'WAYLAND_DISPLAY']) delete process.env[name];
  const command = await prepareApp({ opensDisplay: true });
  const display = await openDisplay({ screen: SCREEN });
  try {
    const env = { ...process.env, ...display.env, [TEST_ELECTRON_VARIABLE]: JSON.stringify(command) };
    const args = [script, ...rest];
    await runOrFail('Taking screenshots', await ensurePinnedNode(), args, { cwd: projectRoot, env });
  } finally {
    await display.end();
  }
});
