// `npm start`: installs, builds and seeds what is missing, then runs the panel in the foreground until it quits.
import { openDisplay } from './lib/display.mjs';
import { runEntry } from './lib/entry.mjs';
import { runInForeground } from './lib/foreground-app.mjs';
import { panelHome } from './lib/home.mjs';
import { prepareApp } from './lib/prepare.mjs';
import { seedServers } from './lib/seed.mjs';

await runEntry(async (stop) => {
  const command = await prepareApp({ opensDisplay: true });
  const home = panelHome();
  seedServers(home);
  const display = await openDisplay({ endsWithLastClient: true });
  try {
    const args = [...command.args, ...process.argv.slice(2)];
    return await runInForeground(
      { ...command, args },
      { ...display.env, MCP_CONTROL_PANEL_HOME: home },
      stop,
    );
  } finally {
    await display.end();
  }
});
