// `npm run core -- [--home DIR]`: installs what is missing, then runs the core on plain Node, without a window, until INT or TERM.
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { runEntry, ScriptError } from './lib/entry.mjs';
import { coreArguments, runInForeground } from './lib/foreground-app.mjs';
import { panelHome } from './lib/home.mjs';
import { ensureInstalled, ensurePinnedNode } from './lib/install.mjs';
import { seedServers } from './lib/seed.mjs';

await runEntry(async (stop) => {
  const { home, restores } = readArguments();
  await ensureInstalled();
  const executablePath = await ensurePinnedNode();
  if (!restores) seedServers(home);
  return runInForeground({ executablePath, args: coreArguments(home, restores) }, {}, stop);
});

/** Returns the folder of `--home`, relative to the folder of the command, because npm runs scripts in the project's folder, and whether to put back what was moved. */
function readArguments() {
  const from = process.env.INIT_CWD ?? process.cwd();
  try {
    const { values } = parseArgs({
      options: { home: { type: 'string' }, 'restore-clients': { type: 'boolean', default: false } },
    });
    const home = values.home ? resolve(from, values.home) : panelHome();
    return { home, restores: values['restore-clients'] };
  } catch (error) {
    throw new ScriptError(
      error instanceof Error ? error.message : String(error),
      'Known are --home DIR, the folder that holds servers.json, and --restore-clients.',
    );
  }
}
