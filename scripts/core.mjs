// `npm run core -- [--home DIR]`: installs what is missing, then runs the core on plain Node, without a window, until INT or TERM.
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { runEntry, ScriptError } from './lib/entry.mjs';
import { runInForeground } from './lib/foreground-app.mjs';
import { panelHome } from './lib/home.mjs';
import { ensureInstalled, ensurePinnedNode } from './lib/install.mjs';
import { projectRoot } from './lib/paths.mjs';
import { seedServers } from './lib/seed.mjs';

await runEntry(async (stop) => {
  const home = readHome();
  await ensureInstalled();
  const executablePath = await ensurePinnedNode();
  seedServers(home);
  const args = [join(projectRoot, 'electron', 'core', 'headless.ts'), '--home', home];
  return runInForeground({ executablePath, args }, {}, stop);
});

/** Returns the folder of `--home`, relative to the folder of the command, because npm runs scripts in the project's folder. */
function readHome() {
  const from = process.env.INIT_CWD ?? process.cwd();
  try {
    const { values } = parseArgs({ options: { home: { type: 'string' } } });
    return values.home ? resolve(from, values.home) : panelHome();
  } catch (error) {
    throw new ScriptError(
      error instanceof Error ? error.message : String(error),
      'Known is --home DIR, the folder that holds servers.json.',
    );
  }
}
