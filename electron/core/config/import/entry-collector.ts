import { isJsonObject } from '../../../../shared/json-object.ts';
import type { ServerEntry } from '../../../../shared/server-config.ts';
import { checkEntry } from '../entry-problem.ts';
import { asksOf } from './entry-asks.ts';
import { checkableEntry } from './entry-shape.ts';
import { ServerNames } from './server-names.ts';
import { type TranslatedEntry, translateEntry, type TranslationContext } from './translate-entry.ts';
import type { ImportedEntry, ImportProblem } from '../../../../shared/manage.ts';

/** Path of a field inside an entry. */
export type FieldPath = readonly (string | number)[];

/** Creates the problem of an entry's field, with its position in the text where that is known. */
export type ProblemAtField = (path: FieldPath, message: string) => ImportProblem;

/** Collects the servers that are found. Two different servers never get the same name. */
export class EntryCollector {
  readonly #names = new ServerNames();
  readonly #entries: ImportedEntry[] = [];
  readonly #problems: ImportProblem[] = [];

  get hasEntries(): boolean {
    return this.#entries.length > 0;
  }

  /** Adds a client's server `original` with its entry `client`, or a problem if that cannot become an entry of servers.json. */
  add(original: string, client: unknown, context: TranslationContext, problemAt: ProblemAtField): void {
    if (!isJsonObject(client))
      return this.refuse(problemAt([], `expected an object, found ${kindOfValue(client)}`));
    const translated = translateEntry(client, original, context);
    const checked = checkEntry(checkableEntry(translated.entry));
    if (checked.ok) return this.#take(original, translated, context);
    const [issue] = checked.issues;
    const remarks = [...translated.placeholders.map(({ remark }) => remark), ...translated.remarks];
    this.refuse(problemAt(issue.path, [issue.statement.replace(/^[: ]+/, ''), ...remarks].join('; ')));
  }

  refuse(problem: ImportProblem): void {
    this.#problems.push(problem);
  }

  build(): ImportReading {
    return { entries: this.#entries, problems: this.#problems };
  }

  #take(original: string, translated: TranslatedEntry, { hints }: TranslationContext): void {
    const entry: ServerEntry = translated.entry;
    const { name, isKnown } = this.#names.nameFor(original, entry);
    if (isKnown) return;
    const asks = asksOf(entry, hints);
    // A placeholder for which a question is asked needs no remark.
    const left = translated.placeholders.filter(
      ({ text }) => !asks.some(({ placeholder }) => placeholder === text),
    );
    const remarks = [...left.map(({ remark }) => remark), ...translated.remarks];
    this.#entries.push({
      name,
      ...(name !== original && { originalName: original }),
      entry,
      ...(remarks.length > 0 && { problem: remarks.join('; ') }),
      ...(asks.length > 0 && { asks }),
    });
  }
}

/** Kind of a JSON value in words: "an array", "a string". */
export function kindOfValue(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

export interface ImportReading {
  readonly entries: readonly ImportedEntry[];
  readonly problems: readonly ImportProblem[];
}
