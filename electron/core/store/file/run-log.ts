import type { Span } from '../../../../shared/history.ts';
import type { Database } from './open-file.ts';

/** Longest gap within an app run in ms; a running panel writes a heartbeat every minute. */
const MAX_SILENCE_MS = 150_000;

interface Run {
  /** Row id in the file; undefined before the first write. */
  readonly id: number | undefined;
  readonly startedAt: number;
  readonly lastSeenAt: number;
}

/**
 * App runs of the panel, as times of day. When the machine wakes from sleep or its clock is changed, a new run begins, because
 * nothing was recorded in between.
 */
export class StoredRuns {
  readonly #db: Database;
  #current: Run;

  /** @param now time of day at which an app run begins; the run is in the file after the first `write` */
  constructor(db: Database, now: number) {
    this.#db = db;
    this.#current = runFrom(now);
  }

  /** Reads the current run from the file again, after a rollback. */
  load(): void {
    const { id } = this.#current;
    if (id === undefined) return;
    const row = this.#db
      .prepare('SELECT id, started_at AS startedAt, last_seen_at AS lastSeenAt FROM runs WHERE id = ?')
      .get(id) as Run | undefined;
    this.#current = row ?? { ...this.#current, id: undefined };
  }

  /** Records a heartbeat of the panel. @throws the error of SQLite */
  seen(at: number): void {
    const silentMs = Math.trunc(at) - this.#current.lastSeenAt;
    const isSame = silentMs >= 0 && silentMs <= MAX_SILENCE_MS;
    this.#current = isSame ? { ...this.#current, lastSeenAt: Math.trunc(at) } : runFrom(at);
    this.write();
  }

  /** Writes the current run to the file. @throws the error of SQLite */
  write(): void {
    const { id, startedAt, lastSeenAt } = this.#current;
    if (id !== undefined) {
      this.#db.prepare('UPDATE runs SET last_seen_at = ? WHERE id = ?').run(lastSeenAt, id);
      return;
    }
    const { lastInsertRowid } = this.#db
      .prepare('INSERT INTO runs (started_at, last_seen_at) VALUES (?, ?)')
      .run(startedAt, lastSeenAt);
    this.#current = { ...this.#current, id: Number(lastInsertRowid) };
  }

  /** Returns all app runs, ordered by their start. The current one lasts until `now`. */
  spans(now: number): readonly Span[] {
    const { id, startedAt, lastSeenAt } = this.#current;
    const others = this.#db
      .prepare('SELECT started_at AS "from", last_seen_at AS "to" FROM runs WHERE id IS NOT ?')
      .all(id ?? null) as unknown as readonly Span[];
    const current = { from: startedAt, to: Math.max(lastSeenAt, now) };
    return [...others, current].sort((one, other) => one.from - other.from);
  }
}

const runFrom = (at: number): Run => ({
  id: undefined,
  startedAt: Math.trunc(at),
  lastSeenAt: Math.trunc(at),
});

/**
 * Returns the gaps in the span during which no panel was running. Before the first run nothing is known, because the panel may
 * have run with another file or in an earlier version. Time after `now` is left out. @param runs ordered by their start
 */
export function absencesIn(runs: readonly Span[], { from, to }: Span, now: number): readonly Span[] {
  const end = Math.min(to, now);
  const absences: Span[] = [];
  let seenUntil = Math.max(from, runs[0]?.from ?? Infinity);
  for (const run of runs) {
    if (run.from > seenUntil && seenUntil < end)
      absences.push({ from: seenUntil, to: Math.min(run.from, end) });
    seenUntil = Math.max(seenUntil, run.to);
  }
  if (seenUntil < end) absences.push({ from: seenUntil, to: end });
  return absences;
}
