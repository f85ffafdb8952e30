import { BYTES_PER_MIB } from '../../../../shared/units.ts';
import type { LogEvent } from '../../../../shared/events.ts';
import { PanelError } from '../../../../shared/error-codes.ts';
import { openFilesKindOf, openFilesWordsOf, type OpenFilesWords } from '../../../../shared/open-files.ts';
import type { Clock } from '../../clock.ts';
import {
  freshLimits,
  watchLimits,
  type LimitFact,
  type LimitName,
  type LimitSample,
  type LimitSettings,
} from './limit-monitor.ts';

export interface LimitGuardOptions {
  readonly clock: Clock;
  readonly server: string;
  readonly settings: () => LimitSettings;
  /** Operating system, whose term for open files the error uses. */
  readonly platform?: NodeJS.Platform;
  /** Returns the number of calls in flight; a breach waits for them up to a limit. */
  readonly awaitedCalls: () => number;
  readonly logEvent: LogEvent;
  /** Called once, when the tree has to end because of a breach. */
  readonly onAct: (action: 'restart' | 'stop', error: PanelError) => void;
}

type Breach = Extract<LimitFact, { kind: 'limit-breached' | 'limit-worsened' }>;

/** Current breach that the panel has not acted on yet. */
interface WaitingBreach {
  readonly breach: Breach;
  readonly sinceMs: number;
}

/** Milliseconds that calls in flight at a breach get to finish. */
const PATIENCE_MS = 30_000;

/** Applies the limits to one run: turns breaches into events, and ends the tree when a hard limit stays exceeded. */
export class LimitGuard {
  readonly #options: LimitGuardOptions;
  #state = freshLimits;
  /** Breaches that wait for calls, by limit, because limits recover independently. */
  readonly #waiting = new Map<LimitName, WaitingBreach>();
  #hasActed = false;

  constructor(options: LimitGuardOptions) {
    this.#options = options;
  }

  sampled(sample: LimitSample): void {
    if (this.#hasActed) return;
    const { clock, settings } = this.#options;
    const { state, facts } = watchLimits(this.#state, sample, settings(), clock.now());
    this.#state = state;
    for (const fact of facts) this.#take(fact);
    this.#actIfDue();
  }

  #take(fact: LimitFact): void {
    this.#log(fact);
    if (fact.kind === 'limit-recovered') this.#waiting.delete(fact.limit);
    if (fact.kind === 'limit-breached' || fact.kind === 'limit-worsened')
      this.#waiting.set(fact.limit, { breach: fact, sinceMs: this.#options.clock.now() });
  }

  #log(fact: LimitFact): void {
    const { logEvent, settings } = this.#options;
    switch (fact.kind) {
      case 'limit-breached': {
        const { kind, ...detail } = fact;
        return logEvent(kind, { ...detail, action: settings().onBreach });
      }
      case 'limit-recovered': {
        const { kind, ...detail } = fact;
        return logEvent(kind, detail);
      }
      case 'high-cpu':
        return logEvent(fact.kind, { value: fact.value, max: fact.max });
      case 'limit-worsened':
        return undefined;
    }
  }

  #actIfDue(): void {
    const { settings, onAct, platform = process.platform, server } = this.#options;
    const { onBreach } = settings();
    if (onBreach === 'notify') return;
    const due = [...this.#waiting.values()].find((waiting) => this.#isDue(waiting));
    if (!due) return;
    this.#hasActed = true;
    onAct(onBreach, breachError(server, due.breach, openFilesWordsOf[openFilesKindOf(platform)]));
  }

  #isDue({ breach, sinceMs }: WaitingBreach): boolean {
    const { clock, awaitedCalls } = this.#options;
    const isSevere = breach.kind === 'limit-worsened' || breach.isSevere;
    return isSevere || awaitedCalls() === 0 || clock.now() - sinceMs >= PATIENCE_MS;
  }
}

function breachError(server: string, breach: Breach, openFiles: OpenFilesWords): PanelError {
  const { limit, value, max, holder } = breach;
  const figure = (amount: number) =>
    limit === 'memory'
      ? `${Math.round(amount / BYTES_PER_MIB)} MiB of memory`
      : `${amount} ${openFiles.unit}`;
  const setting = limit === 'memory' ? 'Memory' : openFiles.title;
  const who = holder ? `, most of it ${holder.command} (pid ${holder.pid})` : '';
  const phrase = `held ${figure(value)}, over its limit of ${figure(max)}${who}`;
  return new PanelError('LIMIT_BREACHED', `${server} ${phrase}.`, {
    data: { limit, value, max, holder },
    remedy: `If it needs that much, raise "${setting}" in its configuration.`,
    short: { phrase },
  });
}
