import type { Span } from '../../../../shared/history.ts';
import type { Database } from './open-file.ts';

/** Between two signs of life of a panel that runs there is a minute. */
const MAX_SILENCE_MS = 150_000;

interface Run {
  readonly id: number;
  readonly startedAt: number;
  readonly lastSeenAt: number;
}

/**
 * When a panel was running, by the time of day. Where the machine slept, or the clock was set, one run ends and another
 * begins, because nothing was recorded between them.
 */
export class RunLog {
  readonly #db: Database;
  #current: Run | undefined;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Takes the current run anew from the file, where a transaction was taken back. */
  load(): void {
    if (this.#current === undefined) return;
    this.#current = this.#db
      .prepare(
        'SELECT id, started_at AS startedAt, last_seen_at AS lastSeenAt FROM runs ORDER BY id DESC LIMIT 1',
      )
      .get() as Run | undefined;
  }

  begin(at: number): void {
    const startedAt = Math.trunc(at);
    const { lastInsertRowid } = this.#db
      .prepare('INSERT INTO runs (started_at, last_seen_at) VALUES (?, ?)')
      .run(startedAt, startedAt);
    this.#current = { id: Number(lastInsertRowid), startedAt, lastSeenAt: startedAt };
  }

  seen(at: number): void {
    const current = this.#current;
    const silentMs = Math.trunc(at) - (current?.lastSeenAt ?? -Infinity);
    if (current === undefined || silentMs < 0 || silentMs > MAX_SILENCE_MS) return this.begin(at);
    this.#current = { ...current, lastSeenAt: Math.trunc(at) };
    this.#db
      .prepare('UPDATE runs SET last_seen_at = ? WHERE id = ?')
      .run(this.#current.lastSeenAt, current.id);
  }
}

/** The parts of the span in which no panel was running. The current run goes on until `now`; what comes later is left out. */
export function absencesIn(db: Database, { from, to }: Span, now: number): readonly Span[] {
  const runs = db
    .prepare(
      `SELECT started_at AS "from", CASE id WHEN (SELECT max(id) FROM runs) THEN max(last_seen_at, ?) ELSE last_seen_at END AS "to"
       FROM runs ORDER BY started_at`,
    )
    .all(now) as unknown as readonly Span[];
  const end = Math.min(to, now);
  const absences: Span[] = [];
  let seenUntil = from;
  for (const run of runs) {
    if (run.from > seenUntil && seenUntil < end)
      absences.push({ from: seenUntil, to: Math.min(run.from, end) });
    seenUntil = Math.max(seenUntil, run.to);
  }
  if (seenUntil < end) absences.push({ from: seenUntil, to: end });
  return absences;
}
