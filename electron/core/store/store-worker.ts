import { parentPort } from 'node:worker_threads';
import { StoreHost } from './file/store-host.ts';
import type { FromWorker, ToWorker } from './store-messages.ts';

/** The thread of the history: all of SQLite, so that no disk and no question holds up the main loop. */
const port = parentPort!;
const host = new StoreHost((message: FromWorker) => port.postMessage(message));
port.on('message', (message: ToWorker) => host.handle(message));
