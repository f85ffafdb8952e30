import { join } from 'node:path';
import { serversFolder } from '../journal/journal.ts';
import { ArchiveThread } from '../logs/archive-thread.ts';
import { LogBook } from '../logs/log-book.ts';
import type { OpenedFiles } from './open-files.ts';
import type { ControlPanelOptions } from './panel-options.ts';

export interface LogParts {
  readonly book: LogBook;
  /** Ends the log reading thread. */
  dispose(): Promise<void>;
}

/** Builds the logs of all servers on the journal, which writes them. */
export function wireLogs(
  { clock, home, startLogsWorker }: Pick<ControlPanelOptions, 'clock' | 'home' | 'startLogsWorker'>,
  { journal, notice, panelOutput }: Pick<OpenedFiles, 'journal' | 'notice' | 'panelOutput'>,
): LogParts {
  const folder = join(home, 'logs');
  const archive =
    startLogsWorker &&
    new ArchiveThread({
      clock,
      folder,
      serversFolder: serversFolder(folder),
      startWorker: startLogsWorker,
      secrets: () => journal.secrets,
    });
  const book = new LogBook({
    clock,
    times: journal.times,
    outputs: () => journal.outputs,
    panel: panelOutput,
    archive,
    redact: (text) => journal.redactText(text),
    onProblem: notice,
  });
  return { book, dispose: async () => archive?.dispose() };
}
