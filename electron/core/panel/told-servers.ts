import { isDeepStrictEqual } from 'node:util';
import type { ServerFigures, ServerView } from '../../../shared/domain.ts';

/** Tolerance in ms for `unansweredSince`, which is computed between two clocks for each view and varies by milliseconds. */
const OWED_TOLERANCE_MS = 1000;

/** Difference between a view and the last sent one: none, figures alone, or more. */
export type News = 'none' | 'figures' | 'whole';

/** Last sent view of each server, because a whole view is sent only when it has changed. */
export class ToldServers {
  readonly #views = new Map<string, ServerView>();

  newsOf(view: ServerView): News {
    const told = this.#views.get(view.name);
    if (told === undefined) return 'whole';
    let news: News = 'none';
    const isNews = (field: Field) => !isSame(field, told[field], view[field]);
    for (const fields of [fieldsIn(view), fieldsIn(told).filter((field) => !(field in view))])
      for (const field of fields) {
        if (!isNews(field)) continue;
        if (!FIGURES.has(field)) return 'whole';
        news = 'figures';
      }
    return news;
  }

  tell(view: ServerView): void {
    this.#views.set(view.name, view);
  }

  forget(name: string): void {
    this.#views.delete(name);
  }

  clear(): void {
    this.#views.clear();
  }
}

type Field = keyof ServerView;

/** Fields that change from second to second without any action. */
const FIGURES: ReadonlySet<Field> = new Set<Field>(['sample', 'busy', 'recentCalls']);

export function figureUpdate({ name, sample, busy, recentCalls }: ServerView): ServerFigures {
  return { name, ...(sample && { sample }), ...(busy && { busy }), ...(recentCalls && { recentCalls }) };
}

const fieldsIn = (view: ServerView) => Object.keys(view) as Field[];

function isSame(field: Field, one: unknown, other: unknown): boolean {
  // Compares identity first, because most fields are identical, and this comparison runs for every server each second.
  if (one === other) return true;
  if (field === 'unansweredSince') return isSameTime(one, other);
  return isDeepStrictEqual(one, other);
}

function isSameTime(one: unknown, other: unknown): boolean {
  return typeof one === 'number' && typeof other === 'number' && Math.abs(one - other) < OWED_TOLERANCE_MS;
}
