import { once } from 'node:events';
import type { StartRecorder } from '../../core/panel/kill-rounds.ts';
import type { Recorded } from '../../fixtures/history-host.ts';
import { launchApp } from '../harness/app.ts';

/** Begins a line of the page's console that tells what was recorded. */
const MARK = 'recorded ';

/** Starts the built app on a home; its page tells what it was told, and restarts the server `busy` without a pause. */
export const startApp =
  (displayEnv: Readonly<Record<string, string>>): StartRecorder =>
  async (home, onRecorded) => {
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
