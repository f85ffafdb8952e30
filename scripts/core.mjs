// `npm run core -- [--home DIR] [--restore-clients | --agree NAME[,NAME] | --agree-all]`: installs what is missing, then runs
// the core on plain Node, without a window, until SIGINT or SIGTERM.
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { runEntry, ScriptError } from './lib/entry.mjs';
import { coreArguments, runInForeground } from './lib/foreground-app.mjs';
import { panelHome } from './lib/home.mjs';
import { ensureInstalled, ensurePinnedNode } from './lib/install.mjs';
import { seedServers } from './lib/seed.mjs';

await runEntry(async (stop) => {
  const { home, options } = readArguments();
  await ensureInstalled();
  const executablePath = await ensurePinnedNode();
  if (options.length === 0) seedServers(home);
  return runInForeground({ executablePath, args: coreArguments(home, options) }, {}, stop);
});

/**
 * Returns the data folder (`--home`, or the default) and the options for the core. A relative folder is resolved against the
 * folder in which the user entered the command, because npm runs scripts in the project's folder.
 */
function readArguments() {
  const from = process.env.INIT_CWD ?? process.cwd();
  try {
    const { values } = parseArgs({
      options: {
        home: { type: 'string' },
        'restore-clients': { type: 'boolean', default: false },
        agree: { type: 'string' },
        'agree-all': { type: 'boolean', default: false },
      },
    });
    const home = values.home ? resolve(from, values.home) : panelHome();
    const { agree, 'agree-all': isAll, 'restore-clients': restores } = values;
    const agreed = agree === undefined ? [] : ['--agree', agree];
    return {
      home,
      options: [...(restores ? ['--restore-clients'] : []), ...agreed, ...(isAll ? ['--agree-all'] : [])],
    };
  } catch (error) {
    throw new ScriptError(
      error instanceof Error ? error.message : String(error),
      'Known are --home DIR, the folder that holds servers.json, --restore-clients, --agree NAME[,NAME] and --agree-all.',
    );
  }
}
