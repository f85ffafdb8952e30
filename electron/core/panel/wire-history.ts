import { join } from 'node:path';
import { HistoryRecorder } from '../store/history-recorder.ts';
import type { HistorySink, RecordingStore } from '../store/history-sink.ts';
import type { HistorySource } from '../store/history-source.ts';
import { LateWorker } from '../store/late-worker.ts';
import { MemorySource, type MemorySourceOptions } from '../store/memory-source.ts';
import { openHistoryStore } from '../store/open-history-store.ts';
import { settlesWithin } from '../wait.ts';
import type { OpenedFiles } from './open-files.ts';
import type { ControlPanelOptions } from './panel-options.ts';

/** Longest wait for a blocked disk at the end of the panel: all but the last second is in the file already. */
const LONGEST_END_MS = 1000;

export interface HistoryDeps {
  readonly options: Pick<
    ControlPanelOptions,
    'clock' | 'home' | 'startStoreWorker' | 'startsAfter' | 'wallClock'
  >;
  readonly files: Pick<OpenedFiles, 'journal' | 'notice'>;
  /** Figures of this app run in memory. */
  readonly memory: Omit<MemorySourceOptions, 'events'>;
}

/** The history: its recorder, and its source for queries. */
export interface HistoryParts {
  readonly recorder: HistoryRecorder;
  readonly source: HistorySource;
  /** Writes pending data, within a time limit. */
  dispose(): Promise<void>;
}

/** Opens the history in parallel: it takes data at once, and answers when its file is open, which comes after the window. */
export function wireHistory({ options, files, memory }: HistoryDeps): HistoryParts {
  const { clock, home, startStoreWorker, startsAfter, wallClock } = options;
  const { journal, notice } = files;
  const fallback = new MemorySource({ ...memory, events: () => journal.events });
  const store = startStoreWorker
    ? openHistoryStore({
        path: join(home, 'history.db'),
        eventsPath: join(home, 'logs', 'events.jsonl'),
        worker: startsAfter ? () => new LateWorker(startsAfter, startStoreWorker) : startStoreWorker,
        fallback,
        clock,
        wallClock,
        onProblem: notice,
      })
    : unkept(fallback);
  const recorder = new HistoryRecorder({ clock, wallClock, sink: store });
  journal.onEvent((event) => store.event(event));
  return {
    recorder,
    source: store,
    dispose: async () => {
      recorder.dispose();
      await settlesWithin(clock, store.dispose(), LONGEST_END_MS);
    },
  };
}

const FORGETS: HistorySink = {
  tick: () => undefined,
  event: () => undefined,
  callEnded: () => undefined,
  limits: () => undefined,
};

/** Store without a worker, which keeps nothing beyond this app run. */
function unkept(source: HistorySource): RecordingStore {
  return {
    ...FORGETS,
    series: (query) => source.series(query),
    calls: (query) => source.calls(query),
    events: (query) => source.events(query),
    state: () => source.state(),
    flush: () => Promise.resolve(),
    dispose: () => Promise.resolve(),
  };
}
