/**
 * The core on plain Node as a process of its own, for the bench of the main loop: opens the panel of the home in its argument
 * and does what its parent sends. `observe-loop.cjs` is loaded before it.
 */
import { DisposeStack } from '../../../electron/core/dispose-stack.ts';
import { openPanel } from '../../../electron/core/panel/open-panel.ts';
import { plainCore } from '../../support/plain-core.ts';
import { drive, type DriveOptions, type DrivenApi } from './drive.ts';
import type { HostRequest, Lateness } from './hosts.ts';

const parts = new DisposeStack();
const panel = await openPanel({ ...plainCore(process.argv[2]!), parts });
// The listener stands for a window that takes what it is told.
panel.onPush(() => undefined);
panel.start();

const api: DrivenApi = {
  startServer: (name) => panel.servers.start(name),
  callServer: (call) => panel.sessions.call({ context: 'window', ...call }),
  getOffer: (name) => panel.sessions.offerTexts(name),
  getLogPage: (query) => panel.logs.page(query),
};
const observer = globalThis as unknown as { takeLateness(): Lateness };

process.on('message', (request: HostRequest) => {
  void answer(request).then((value) => process.send!({ value }));
});
process.send!({});

async function answer(request: HostRequest): Promise<unknown> {
  switch (request.what) {
    case 'drive':
      return drive(api, request.options as DriveOptions);
    case 'lateness':
      return observer.takeLateness();
    case 'quit':
      await parts.dispose();
      setImmediate(() => process.exit(0));
      return undefined;
  }
}
