import { copyFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { historyMetrics } from '../../../shared/history.ts';
import type { Sample } from '../../../shared/domain.ts';
import { toldEvent, type EventKind, type PanelEvent } from '../../../shared/events.ts';
import { HistoryFile } from '../../../electron/core/store/file/history-file.ts';
import { openFile } from '../../../electron/core/store/file/open-file.ts';
import { Retention } from '../../../electron/core/store/file/retention.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import type { Batch, CallsMessage, LookMessage } from '../../../electron/core/store/store-messages.ts';

/** 2027-01-15 08:00 UTC: the beginning of a minute, an hour and a block. */
export const START = 1_800_000_000_000;
export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** The history at this path, opened as the worker does. It goes with the test. */
export function openHistory(path = join(tempFolder(), 'history.db'), now = START): HistoryFile {
  const { value } = openFile(path, now, (db) => new HistoryFile(db, now));
  onTestFinished(() => void (value.db.isOpen && value.abandon()));
  return value;
}

/** Tidies after each write of two days from then, which must have passed for the panel before it believes the clock. */
export function tidyForTwoDays(history: HistoryFile, from: number, first: Partial<Batch> = {}): void {
  const retention = new Retention(history, 1e9);
  for (let minute = 0; minute < 2 * 1440 + 120; minute += 2) {
    history.write(batch(from + minute * MINUTE_MS, { ranMs: 2 * MINUTE_MS, ...(minute === 0 && first) }));
    retention.afterWrite();
  }
}

/**
 * The file as a kill at this moment leaves it. The history itself is closed, which a kill does not do.
 * @returns the path of it
 */
export function killed(history: HistoryFile, path: string): string {
  const left = `${path}-k`;
  for (const companion of ['', '-wal'])
    if (existsSync(`${path}${companion}`)) copyFileSync(`${path}${companion}`, `${left}${companion}`);
  history.abandon();
  return left;
}

export const batch = (at: number, parts: Partial<Batch> = {}): Batch => ({
  at,
  ranMs: 1000,
  looks: [],
  calls: [],
  events: [],
  limits: [],
  hasLostEvents: false,
  ...parts,
});

export type Measured = Partial<Omit<Sample, 'at'>>;

export function look(at: number, samples: Readonly<Record<string, Measured>>): LookMessage {
  const values = Object.values(samples).flatMap((sample) =>
    historyMetrics.map((metric) => sample[metric] ?? NaN),
  );
  return { at, servers: Object.keys(samples), values: Float64Array.from(values) };
}

/** One call of server `one` that took a millisecond, as its connection saw it. */
export const callAt = (at: number): CallsMessage => ({
  at,
  server: 'one',
  client: undefined,
  calls: 1,
  errors: 0,
  timed: 1,
  minMs: 1,
  sumMs: 1,
  maxMs: 1,
});

interface EventParts {
  readonly id?: string;
  readonly server?: string | null;
  readonly kind?: EventKind;
  readonly detail?: object;
}

/** An event whose id sorts by `at`. */
export const eventAt = (at: number, count: number, parts: EventParts = {}): PanelEvent => ({
  id: parts.id ?? `${String(at).padStart(14, '0')}-${String(count).padStart(8, '0')}-test`,
  at,
  server: parts.server === undefined ? 'one' : parts.server,
  ...toldEvent(parts.kind ?? 'started', parts.detail ?? { count }),
});
