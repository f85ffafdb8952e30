// `npm start`: installs and builds what is missing, prepares a first run if it is one, then runs the panel in the foreground
// until it quits.
import { withDisplay } from './lib/display.mjs';
import { runEntry } from './lib/entry.mjs';
import { prepareFirstRun } from './lib/seed.mjs';
import { coreArguments, runInForeground } from './lib/foreground-app.mjs';
import { panelHome } from './lib/home.mjs';
import { ensureInstalled, ensurePinnedNode } from './lib/install.mjs';
import { prepareApp } from './lib/prepare.mjs';

await runEntry(async (stop) => {
  if (process.argv.includes('--restore-clients')) return restoreClients(stop);
  const command = await prepareApp({ opensDisplay: true });
  const home = panelHome();
  await prepareFirstRun(home);
  const given = { ...command, args: [...command.args, ...process.argv.slice(2)] };
  return withDisplay((env) => runInForeground(given, { ...env, MCP_CONTROL_PANEL_HOME: home }, stop), {
    endsWithLastClient: true,
  });
});

/**
 * Moves server entries back to the MCP clients from which the panel moved them. Opens no window and starts no panel. @param
 * {import('./lib/entry.mjs').StopSignals} stop
 */
async function restoreClients(stop) {
  await ensureInstalled();
  const executablePath = await ensurePinnedNode();
  return runInForeground(
    { executablePath, args: coreArguments(panelHome(), ['--restore-clients']) },
    {},
    stop,
  );
}
