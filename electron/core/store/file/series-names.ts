import type { Database } from './open-file.ts';

/** Kinds of series: a server's process figures, calls to it, or the number of samples of all servers, which is one series. */
type SeriesKind = 'server' | 'calls' | 'looks';

export interface NamedSeries {
  readonly id: number;
  readonly kind: SeriesKind;
  readonly server: string;
  /** MCP client of a series of calls; '' means the app window itself. */
  readonly client: string;
}

const KIND_IDS = { server: 1, calls: 2, looks: 3 } as const;
const KINDS = new Map<number, SeriesKind>([
  [KIND_IDS.server, 'server'],
  [KIND_IDS.calls, 'calls'],
  [KIND_IDS.looks, 'looks'],
]);

/** Numbers that identify all series in the file. A new series gets a number when it is first used. */
export class SeriesNames {
  readonly #db: Database;
  readonly #byName = new Map<string, NamedSeries>();

  constructor(db: Database) {
    this.#db = db;
    const rows = db.prepare('SELECT id, kind, server, client FROM series').all() as readonly {
      id: number;
      kind: number;
      server: string;
      client: string;
    }[];
    for (const { kind, ...row } of rows) this.#keep({ ...row, kind: KINDS.get(kind) ?? 'server' });
  }

  get all(): readonly NamedSeries[] {
    return [...this.#byName.values()];
  }

  find(kind: SeriesKind, server: string, client = ''): NamedSeries | undefined {
    return this.#byName.get(nameOf({ kind, server, client }));
  }

  idOf(kind: SeriesKind, server: string, client = ''): number {
    const known = this.find(kind, server, client);
    if (known !== undefined) return known.id;
    const { lastInsertRowid } = this.#db
      .prepare('INSERT INTO series (kind, server, client) VALUES (?, ?, ?)')
      .run(KIND_IDS[kind], server, client);
    return this.#keep({ id: Number(lastInsertRowid), kind, server, client });
  }

  forget(series: NamedSeries): void {
    this.#db.prepare('DELETE FROM series WHERE id = ?').run(series.id);
    this.#byName.delete(nameOf(series));
  }

  #keep(series: NamedSeries): number {
    this.#byName.set(nameOf(series), series);
    return series.id;
  }
}

const nameOf = ({ kind, server, client }: Omit<NamedSeries, 'id'>): string => `${kind}\n${server}\n${client}`;
