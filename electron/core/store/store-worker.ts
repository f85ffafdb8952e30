import { parentPort } from 'node:worker_threads';
import { StoreHost } from './file/store-host.ts';
import type { FromWorker, ToWorker } from './store-messages.ts';

/** Worker thread of the history. It runs all of SQLite, so that no disk access or query blocks the main thread. */
const port = parentPort!;
const host = new StoreHost((message: FromWorker) => port.postMessage(message));
port.on('message', (message: ToWorker) => host.handle(message));
