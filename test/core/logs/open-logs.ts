import { join } from 'node:path';
import { LineTimes } from '../../../electron/core/journal/line-times.ts';
import { OutputFile, serversFolder } from '../../../electron/core/journal/output-file.ts';
import { createRedactor } from '../../../electron/core/journal/redact.ts';
import { ServerOutput } from '../../../electron/core/journal/server-output.ts';
import { LogArchive } from '../../../electron/core/logs/log-archive.ts';
import { LogBook } from '../../../electron/core/logs/log-book.ts';
import { LogFiles } from '../../../electron/core/logs/log-files.ts';
import { createFakeClock, type FakeClock } from '../fake-clock.ts';

export interface TestLogs {
  readonly clock: FakeClock;
  readonly book: LogBook;
  readonly panel: ServerOutput;
  /** Of a server, or of a further process of it. */
  output(stream: string): ServerOutput;
  /** Everything so far is on disk, or lost. */
  flush(): Promise<void>;
  /** Questions to the archive so far. */
  asked(): number;
  /** Happens once, while the archive is asked next. */
  meanwhile(act: () => Promise<void>): void;
  dispose(): Promise<void>;
}

/** Logs in a home folder, whose archive reads in this thread. */
export function openLogs(home: string, clock = createFakeClock(), secrets: readonly string[] = []): TestLogs {
  const folder = join(home, 'logs');
  const times = new LineTimes(clock);
  const redact = createRedactor(secrets);
  const files: OutputFile[] = [];
  const open = (below: string, server: string) => {
    const file = new OutputFile({ folder: below, server, clock, times, onProblem: () => undefined });
    files.push(file);
    return new ServerOutput({ wallClock: clock, redact, file, times });
  };
  const outputs = new Map<string, ServerOutput>();
  const panel = open(folder, 'panel');
  const archive = new LogArchive(new LogFiles(folder));
  archive.setSecrets(secrets);
  let asked = 0;
  let meanwhile = () => Promise.resolve();
  const book = new LogBook({
    clock,
    times,
    outputs: () => outputs,
    panel,
    archive: {
      slice: async (query) => {
        asked += 1;
        const act = meanwhile;
        meanwhile = () => Promise.resolve();
        await act();
        return archive.slice(query);
      },
      content: (query) => Promise.resolve(archive.content(query)),
    },
    redact,
    onProblem: () => undefined,
  });
  const flush = async () => {
    await Promise.all(files.map((file) => file.flush()));
  };
  return {
    clock,
    book,
    panel,
    output: (stream) => {
      const output = outputs.get(stream) ?? open(serversFolder(folder), stream);
      outputs.set(stream, output);
      return output;
    },
    flush,
    asked: () => asked,
    meanwhile: (act) => {
      meanwhile = act;
    },
    dispose: async () => {
      await Promise.all(files.map((file) => file.dispose()));
    },
  };
}
