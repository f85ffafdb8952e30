// `npm run dev`: runs the app in the foreground, with hot reloading of the renderer. Arguments after `--` are passed to the
// app.
import { spawn } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { forgetBuild } from './lib/build-app.mjs';
import { withDisplay } from './lib/display.mjs';
import { runEntry } from './lib/entry.mjs';
import { ensurePinnedNode } from './lib/install.mjs';
import { inModules, projectRoot } from './lib/paths.mjs';
import { isGroupAlive } from './lib/process-group.mjs';
import { electronEnvironment, prepareElectron, sandboxArguments } from './lib/prepare.mjs';
import { settle } from './lib/run-command.mjs';

const QUIT_LIMIT_MS = 30_000;
const POLL_MS = 100;

await runEntry(async (stop) => {
  const runtime = await prepareElectron({ opensDisplay: true });
  const node = await ensurePinnedNode();
  return withDisplay(async (display) => {
    forgetBuild(); // The build is marked as outdated, because the development build overwrites it in out/.
    const appArguments = [...sandboxArguments(), ...process.argv.slice(2)];
    const args = [inModules('electron-vite', 'bin', 'electron-vite.js'), 'dev', '--', ...appArguments];
    // In development mode, electron-vite reads the path of the Electron to start from ELECTRON_EXEC_PATH.
    const env = electronEnvironment({ ...display, ELECTRON_EXEC_PATH: runtime.executablePath });
    // Vite gets its own process group, so that this script can pass each signal on only once. Otherwise Ctrl-C would signal
    // Vite as part of the foreground group, npm would repeat the signal, and a second signal kills Electron.
    const detached = process.platform !== 'win32';
    const child = spawn(node, args, { cwd: projectRoot, env, stdio: ['ignore', 1, 2], detached });
    const sent = new Set();
    stop.handle = (signal) => {
      if (!sent.has(signal)) child.kill(signal);
      sent.add(signal);
    };
    const { code } = await settle(child, node);
    if (detached) await groupEnd(Number(child.pid));
    return sent.size > 0 ? 0 : (code ?? 1);
  });
});

/** Waits until the group's processes end. Vite exits at once on a signal; Electron still stops servers and needs its display. */
async function groupEnd(/** @type {number} */ leader) {
  for (let waitedMs = 0; waitedMs < QUIT_LIMIT_MS && isGroupAlive(leader); waitedMs += POLL_MS)
    await delay(POLL_MS);
}
