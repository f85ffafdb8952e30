import type { NamedFigure, TreeFacts } from '../../telemetry/tree-facts.ts';
import { BYTES_PER_MIB } from '../../../../shared/units.ts';
import type { LogEvent } from '../../../../shared/events.ts';
import { PanelError } from '../../../../shared/error-codes.ts';
import {
  openFilesKindOf,
  openFilesWordsOf,
  type OpenFilesWords,
  NO_OPEN_FILES_LIMIT,
} from '../../../../shared/open-files.ts';
import type { Clock } from '../../clock.ts';
import type { PanelSettings } from '../../../../shared/panel-settings.ts';

interface LimitGuardOptions {
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

export type LimitSettings = PanelSettings['limits'];
type LimitName = 'memory' | 'openFiles' | 'cpu';
type HardLimitName = Exclude<LimitName, 'cpu'>;

/** Figures of one sample of a tree that limits apply to. A figure is undefined if it could not be read. */
export interface LimitSample {
  readonly memoryBytes?: number | undefined;
  /** CPU of the whole tree in percent; 100 is one core. */
  readonly cpuPercent?: number | undefined;
  readonly largestProcess?: TreeFacts['largest'] | undefined;
  /** The limit is per process. */
  readonly maxOpenFiles?: TreeFacts['mostOpenFiles'] | undefined;
}

interface Figures {
  /** Measured value: bytes (memory), files (openFiles) or percent of one core (cpu). */
  readonly value: number;
  readonly max: number;
}

export type LimitFact =
  /** Exceeded for `sustainedSamples` samples. Severe while the value is more than twice the limit. */
  | ({ readonly kind: 'limit-breached'; readonly limit: HardLimitName; readonly isSevere: boolean } & Held)
  /** A breach has become severe, so the end of the tree no longer waits for calls. */
  | ({ readonly kind: 'limit-worsened'; readonly limit: HardLimitName } & Held)
  | ({ readonly kind: 'high-cpu' } & Figures)
  /** Below 90 % of the limit for `sustainedSamples` samples. `durationMs` counts from the first above it. */
  | ({ readonly kind: 'limit-recovered'; readonly limit: LimitName; readonly durationMs: number } & Figures);

type Held = Figures & { readonly holder?: NamedFigure };

type Episode =
  | { readonly kind: 'within'; readonly samplesOver: number; readonly overSinceMs: number }
  | {
      readonly kind: 'breached';
      readonly samplesCalm: number;
      readonly overSinceMs: number;
      readonly isSevere: boolean;
    };

type LimitState = Readonly<Record<LimitName, Episode>>;

const within: Episode = { kind: 'within', samplesOver: 0, overSinceMs: 0 };

export const freshLimits: LimitState = { memory: within, openFiles: within, cpu: within };

const CALM_FRACTION = 0.9;
const SEVERE_FACTOR = 2;
const limitNames: readonly LimitName[] = ['memory', 'openFiles', 'cpu'];

/**
 * Returns the next state and the findings of one sample. There is one breach and one recovery per episode and limit, each
 * after `sustainedSamples` samples in a row. A sample without the figure neither counts nor interrupts. @param nowMs monotonic
 * time
 */
export function watchLimits(
  state: LimitState,
  sample: LimitSample,
  settings: LimitSettings,
  nowMs: number,
): { readonly state: LimitState; readonly facts: readonly LimitFact[] } {
  const facts: LimitFact[] = [];
  const next = { ...state };
  for (const limit of limitNames) {
    const figures = figuresOf(limit, sample, settings);
    if (!figures) continue;
    next[limit] = nextEpisode(state[limit], figures, settings.sustainedSamples, nowMs);
    const fact = factOf(limit, state[limit], next[limit], figures, nowMs);
    if (fact) facts.push(withHolder(fact, sample));
  }
  return { state: next, facts };
}

function figuresOf(limit: LimitName, sample: LimitSample, settings: LimitSettings): Figures | undefined {
  const [value, max] = {
    memory: [sample.memoryBytes, settings.maxMemoryMiB * BYTES_PER_MIB] as const,
    openFiles: [sample.maxOpenFiles?.openFiles, settings.maxOpenFiles] as const,
    cpu: [sample.cpuPercent, settings.maxCpuPercent] as const,
  }[limit];
  const isArmed = limit !== 'openFiles' || max < NO_OPEN_FILES_LIMIT;
  return isArmed && value !== undefined && Number.isFinite(value) ? { value, max } : undefined;
}

function nextEpisode(episode: Episode, { value, max }: Figures, sustained: number, nowMs: number): Episode {
  if (episode.kind === 'breached') {
    const samplesCalm = value < max * CALM_FRACTION ? episode.samplesCalm + 1 : 0;
    if (samplesCalm >= sustained) return within;
    return { ...episode, samplesCalm, isSevere: episode.isSevere || value > max * SEVERE_FACTOR };
  }
  if (value <= max) return within;
  const samplesOver = episode.samplesOver + 1;
  const overSinceMs = episode.samplesOver === 0 ? nowMs : episode.overSinceMs;
  if (samplesOver < sustained) return { kind: 'within', samplesOver, overSinceMs };
  return { kind: 'breached', samplesCalm: 0, overSinceMs, isSevere: value > max * SEVERE_FACTOR };
}

function factOf(
  limit: LimitName,
  before: Episode,
  after: Episode,
  figures: Figures,
  nowMs: number,
): LimitFact | undefined {
  if (after.kind === 'within') {
    if (before.kind === 'within') return undefined;
    return { kind: 'limit-recovered', limit, ...figures, durationMs: nowMs - before.overSinceMs };
  }
  const isNew = before.kind === 'within';
  if (limit === 'cpu') return isNew ? { kind: 'high-cpu', ...figures } : undefined;
  if (isNew) return { kind: 'limit-breached', limit, ...figures, isSevere: after.isSevere };
  return after.isSevere && !before.isSevere ? { kind: 'limit-worsened', limit, ...figures } : undefined;
}

function withHolder(fact: LimitFact, sample: LimitSample): LimitFact {
  if (fact.kind !== 'limit-breached' && fact.kind !== 'limit-worsened') return fact;
  const found = fact.limit === 'memory' ? sample.largestProcess : sample.maxOpenFiles;
  return found ? { ...fact, holder: { pid: found.pid, command: found.command } } : fact;
}
