// `npm run screenshots`: takes the pictures of the documentation from the built app. `npm run screenshots:tray`: those of
// the tray, on a desktop of its own. Arguments go to the script.
import { openDisplay } from './lib/display.mjs';
import { runEntry } from './lib/entry.mjs';
import { ensurePinnedNode } from './lib/install.mjs';
import { projectRoot } from './lib/paths.mjs';
import { prepareApp, TEST_ELECTRON_VARIABLE } from './lib/prepare.mjs';
import { runOrFail } from './lib/run-command.mjs';

await runEntry(async () => {
  const [which, ...rest] = process.argv.slice(2);
  const isTray = which === 'tray';
  // Never the screen of whoever runs it.
  if (isTray) for (const name of ['DISPLAY', 'WAYLAND_DISPLAY']) delete process.env[name];
  const command = await prepareApp({ opensDisplay: true });
  const display = await openDisplay();
  try {
    const env = { ...process.env, ...display.env, [TEST_ELECTRON_VARIABLE]: JSON.stringify(command) };
    const args = isTray
      ? ['test/screenshots/tray.ts', ...rest]
      : ['test/screenshots/take.ts', ...process.argv.slice(2)];
    await runOrFail('Taking screenshots', await ensurePinnedNode(), args, { cwd: projectRoot, env });
  } finally {
    await display.end();
  }
});
