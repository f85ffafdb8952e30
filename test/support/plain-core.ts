/** Options of a core on plain Node, whose threads run on their files as they are written. */
export const plainCore = (home: string) => ({
  home,
  appVersion: '0.0.0',
  electronVersion: '',
  asksQuestions: false,
  storeWorker: new URL('../../electron/core/store/store-worker.ts', import.meta.url),
  logsWorker: new URL('../../electron/core/logs/logs-worker.ts', import.meta.url),
  messageWorker: new URL('../../electron/core/mcp/worker/message-worker.ts', import.meta.url),
  notice: (line: string) => void process.stderr.write(`${line}\n`),
});
