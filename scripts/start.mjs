// `npm start`: installs and builds what is missing, prepares a first run, then runs the panel in the foreground until it quits.
import { openDisplay } from './lib/display.mjs';
import { runEntry } from './lib/entry.mjs';
import { prepareFirstRun } from './lib/first-run.mjs';
import { runInForeground } from './lib/foreground-app.mjs';
import { panelHome } from './lib/home.mjs';
import { prepareApp } from './lib/prepare.mjs';

await runEntry(async (stop) => {
  const command = await prepareApp({ opensDisplay: true });
  const home = panelHome();
  await prepareFirstRun(home);
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
