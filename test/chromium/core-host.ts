/**
 * The core on plain Node as a process of its own, behind the shell's own handlers: answers the calls that its parent sends
 * as the main process answers those of its page, and sends every push. Arguments: the home, and `doorkeeper` to have one.
 */
import { fileURLToPath } from 'node:url';
import { consentMode } from '../../electron/core/consent/consent-mode.ts';
import { DisposeStack } from '../../electron/core/dispose-stack.ts';
import { openPanel } from '../../electron/core/panel/open-panel.ts';
import { callHandlers, createPageCalls } from '../../electron/shell/ipc/call-handlers.ts';
import { dispatchCall } from '../../electron/shell/ipc/call-dispatcher.ts';
import { Updates } from '../../electron/shell/updates/updates.ts';
import { channelOf } from '../../shared/ipc/names.ts';
import { pushes, type PushName } from '../../shared/ipc/topics.ts';
import { plainCore } from '../support/plain-core.ts';
import type { HostMessage, HostRequest } from './core-process.ts';

const send = (message: HostMessage) => void process.send!(message);

const [, , home = '', hasDoorkeeper] = process.argv;
const coreFile = (path: string) => fileURLToPath(new URL(`../../electron/core/${path}`, import.meta.url));
const doorkeeper = {
  node: process.execPath,
  script: coreFile('bridge/main.ts'),
  panelCommand: [process.execPath, coreFile('headless.ts'), '--home', home],
};

const options = plainCore(home);
const { notice } = options;
const parts = new DisposeStack();
const panel = await openPanel({
  ...options,
  ...(hasDoorkeeper !== undefined && { doorkeeper }),
  asksQuestions: true,
  consent: consentMode(process.env, true),
  parts,
});
const calls = createPageCalls(
  callHandlers(Promise.resolve(panel), {
    updates: new Updates({
      facts: () => ({ isPackaged: false, platform: process.platform, feed: undefined }),
      loadEngine: () => Promise.reject(new Error('a build without a feed asks nobody')),
      release: () => parts.dispose(),
      quit: () => undefined,
      notice,
    }),
    app: {
      figures: () => ({ memoryBytes: process.memoryUsage().rss, loop: panel.loopLateness() }),
      quitQuestion: () => null,
      answerQuit: () => undefined,
      rowMenu: () => undefined,
      zoom: () => undefined,
      saveFile: () => null,
      copyPicture: () => undefined,
      systemState: () => ({ startAtLogin: 'unknown' }),
    },
  }),
);
const { handlers } = calls;
const redact = async (text: string) => panel.redactText(text);

/** Sends what keeps the contract, as the main process does. */
function push(name: PushName, payload: unknown): void {
  send({ kind: 'push', channel: channelOf(name), payload: pushes[name].parse(payload) });
}
panel.onPush((payload) => push('onPush', payload));
panel.sessions.onProgress((payload) => push('onCallProgress', payload));
panel.setWindowVisible(true);
panel.start();

process.on('message', (request: HostRequest) => {
  if (request.kind === 'quit') void quit();
  else
    void dispatchCall(request.name, request.args, { handlers, redact, report: notice }).then((reply) =>
      send({ kind: 'reply', id: request.id, reply }),
    );
});
// No server outlives the test, however that ends.
process.on('disconnect', () => void quit());
send({ kind: 'ready' });

async function quit(): Promise<void> {
  calls.cancelAll();
  await parts.dispose();
  process.exit(0);
}
