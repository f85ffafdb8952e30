import type { AlertRule } from '../../../shared/alerts.ts';
import type { CallMinute } from '../../../shared/call-figures.ts';
import type { ServerView } from '../../../shared/domain.ts';
import type { EventDetail, PanelEvent } from '../../../shared/events.ts';
import { BYTES_PER_MIB } from '../../../shared/units.ts';
import { unplannedWords } from '../../../shared/unplanned-words.ts';

/** Time over which the share of failed calls is measured, and the minimum number of calls for a meaningful share. */
export const SHARE_MS = 5 * 60_000;
const LEAST_CALLS = 5;

interface ServerFacts {
  readonly view: ServerView;
  /** A text for each resource limit that the server's current run exceeds. */
  readonly overLimits: readonly string[];
  /** Calls of the last five minutes. */
  readonly minutes: () => readonly CallMinute[];
}

/** Whether a condition holds. It is undefined while that cannot be determined, so that nothing changes. */
interface Condition {
  readonly holds: boolean | undefined;
  readonly detail?: string | undefined;
}

const UNKNOWN: Condition = { holds: undefined };

/** Checks the lasting conditions. Trends and log lines are single events, which `Alerts` reports as they arrive. */
export function conditionOf(
  { what, share = 0 }: Pick<AlertRule, 'what' | 'share'>,
  { view, overLimits, minutes }: ServerFacts,
): Condition {
  switch (what) {
    case 'failed':
      // A server that is being restarted has not recovered until it runs.
      if (view.state.kind === 'starting' || view.state.kind === 'backoff') return UNKNOWN;
      return { holds: view.state.kind === 'failed', detail: view.lastError?.message };
    case 'unstable':
      return { holds: view.unstable !== undefined, detail: view.unstable && unplannedWords(view.unstable) };
    case 'limit':
      return { holds: overLimits.length > 0, detail: overLimits.join('; ') };
    case 'errors':
      return shareOf(minutes(), share);
    case 'trend':
    case 'log':
      return UNKNOWN;
  }
}

function shareOf(minutes: readonly CallMinute[], share: number): Condition {
  const calls = minutes.reduce((sum, minute) => sum + minute.calls, 0);
  const errors = minutes.reduce((sum, minute) => sum + minute.errors, 0);
  const percent = calls < LEAST_CALLS ? 0 : (100 * errors) / calls;
  return {
    holds: percent > share,
    detail: `${Math.round(percent)} % of ${calls} calls in 5 minutes failed`,
  };
}

/** Events that end a server's run. The next run starts without exceeded limits. */
const ENDS: ReadonlySet<string> = new Set(['restarted', 'stopped', 'slept', 'crashed', 'start-failed']);

/** The limits that each server's current run exceeds: a text for each, by the name of the limit. */
export class OverLimits {
  readonly #byServer = new Map<string, Map<string, string>>();

  of = (server: string): readonly string[] => [...(this.#byServer.get(server)?.values() ?? [])];

  happened(server: string, { kind, detail }: PanelEvent): void {
    if (ENDS.has(kind)) this.#byServer.delete(server);
    if (kind === 'limit-recovered') this.#byServer.get(server)?.delete(detail.limit ?? '');
    if (kind !== 'limit-breached') return;
    const over = this.#byServer.get(server) ?? new Map<string, string>();
    this.#byServer.set(server, over.set(detail.limit ?? '', limitText(detail)));
  }

  forget(server: string): void {
    this.#byServer.delete(server);
  }
}

function limitText({ limit, value = 0, max = 0 }: EventDetail<'limit-breached'>): string {
  const figure = (amount: number) =>
    limit === 'memory' ? `${Math.round(amount / BYTES_PER_MIB)} MiB of memory` : `${amount} open files`;
  return `${figure(value)}, limit ${figure(max)}`;
}
