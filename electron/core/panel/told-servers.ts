import { isDeepStrictEqual } from 'node:util';
import type { ServerFigures, ServerView } from '../../../shared/domain.ts';

/** The time since when an answer is owed is reckoned anew for each view, between two clocks, so it wavers by milliseconds. */
const OWED_TOLERANCE_MS = 1000;

/** What a view differs in from the one that was told last: nothing, its figures alone, or more than those. */
export type News = 'none' | 'figures' | 'whole';

/** What the page was told last of each server, because a whole view is sent only for what it does not know yet. */
export class ToldServers {
  readonly #views = new Map<string, ServerView>();

  newsOf(view: ServerView): News {
    const told = this.#views.get(view.name);
    if (told === undefined || !isSameBesidesFigures(told, view)) return 'whole';
    return isDeepStrictEqual(figuresOf(told), figuresOf(view)) ? 'none' : 'figures';
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

/** What changes from second to second of a server that is left alone. */
export function figuresOf({ name, sample, busy, recentCalls }: ServerView): ServerFigures {
  return { name, ...(sample && { sample }), ...(busy && { busy }), ...(recentCalls && { recentCalls }) };
}

function isSameBesidesFigures(one: ServerView, other: ServerView): boolean {
  const { unansweredSince: owed, ...rest } = withoutFigures(one);
  const { unansweredSince: owedNow, ...restNow } = withoutFigures(other);
  return isSameTime(owed, owedNow) && isDeepStrictEqual(rest, restNow);
}

function withoutFigures({
  sample: _sample,
  busy: _busy,
  recentCalls: _recentCalls,
  ...rest
}: ServerView): Omit<ServerView, 'sample' | 'busy' | 'recentCalls'> {
  return rest;
}

function isSameTime(one: number | undefined, other: number | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  return Math.abs(one - other) < OWED_TOLERANCE_MS;
}
