/**
 * Kills the core with -9 while it records, or the app with its window (`--app`), again and again in one home
 * (`--rounds=200`), and looks at what it left: whether SQLite finds the file sound, whether all is there up to some moment,
 * and how long before the kill that was. Prints a table, and one line of JSON last; exit code 1 when a budget is missed.
 */
import { rmSync } from 'node:fs';
import { once } from 'node:events';
import { killOnce, lossOf, makeKillHome, type StartRecorder } from '../core/panel/kill-rounds.ts';
import { openDisplay } from '../e2e/support/electron-command.ts';
import type { Recorded } from '../fixtures/history-host.ts';
import { launchApp } from './harness/app.ts';
import { figure, median, numberFlag, report } from './harness/figures.ts';

const rounds = numberFlag('rounds', 200);
const SHORTEST_MS = 500;
const SPREAD_MS = 2500;
const REPORT_EVERY = 20;
/** Begins a line of the page's console that tells what was recorded. */
const MARK = 'recorded ';
const IN_PAGE = `(() => {
  const tell = (what) => console.log('${MARK}' + JSON.stringify(what));
  controlPanel.onPush(({ servers = [], samples = [], events = [] }) => {
    for (const { id, at } of events) tell({ kind: 'event', id, at });
    for (const { name, sample } of [...servers, ...samples])
      if (sample !== undefined) tell({ kind: 'sample', server: name, at: sample.at });
  });
  const restart = () => controlPanel.restartServer('busy').catch(() => undefined).then(restart);
  void restart();
})()`;

const display = process.argv.includes('--app') ? await openDisplay() : undefined;
const start = display && startApp(display.env);
const home = makeKillHome();
const losses: number[] = [];
let unsound = 0;
let holes = 0;
try {
  for (let round = 1; round <= rounds; round += 1) {
    const killed = await killOnce(home, SHORTEST_MS + Math.random() * SPREAD_MS, start);
    if (killed.integrity !== 'ok') unsound += 1;
    const loss = await lossOf(home, killed);
    losses.push(loss.lostMs);
    holes += loss.holes.length;
    if (round % REPORT_EVERY === 0) console.error(`${round} of ${rounds} kills, ${unsound} unsound files`);
  }
} finally {
  rmSync(home, { recursive: true, force: true });
  await display?.end();
}
report('history-kill', [
  figure(`files that are not sound after ${rounds} kills`, 'files', unsound, 0),
  figure('lost although something later is there', 'records', holes, 0),
  figure('lost before the kill, median', 'ms', losses.length === 0 ? 0 : median(losses)),
  // A batch is sent a second after its first part, and then written.
  figure('lost before the kill, most', 'ms', Math.max(0, ...losses), 1250),
]);

/** Starts the built app on a home; its page tells what it was told, and restarts the server `busy` without a pause. */
function startApp(displayEnv: Readonly<Record<string, string>>): StartRecorder {
  return async (home, onRecorded) => {
    const { app, page } = await launchApp(home, displayEnv);
    const child = app.process();
    const exited = once(child, 'exit');
    page.on('console', (message) => {
      const text = message.text();
      if (text.startsWith(MARK)) onRecorded(JSON.parse(text.slice(MARK.length)) as Recorded);
    });
    await page.evaluate(IN_PAGE);
    return { kill: () => void child.kill('SIGKILL'), exited };
  };
}
