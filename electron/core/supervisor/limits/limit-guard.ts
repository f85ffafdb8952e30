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
  /** Operating system; it determines what open files are called in error messages. */
  readonly platform?: NodeJS.Platform;
  /** Returns the number of calls in flight. Once a limit is exceeded, the tree is ended after them, or after `PATIENCE_MS`. */
  readonly awaitedCalls: () => number;
  readonly logEvent: LogEvent;
  /** Called once, when the process tree has to end because of a breach. */
  readonly onAct: (action: 'restart' | 'stop', error: PanelError) => void;
}

/** Maximum milliseconds that calls in flight at a breach get to finish. */
const PATIENCE_MS = 30_000;
const CALM_FRACTION = 0.9;
const SEVERE_FACTOR = 2;

/**
 * Applies the limits to one run of a server. It writes events when a limit is exceeded and when the value is normal again, and
 * reports when the process tree must end because it exceeds a hard limit (memory or open files). An episode of one limit has
 * one event at its beginning and one at its end, each after `sustainedSamples` samples in a row. A sample without the value is
 * ignored: it is not counted and does not interrupt the row.
 */
export class LimitGuard {
  readonly #options: LimitGuardOptions;
  readonly #episodes: Record<LimitName, Episode> = { memory: within, openFiles: within, cpu: within };
  #hasActed = false;

  constructor(options: LimitGuardOptions) {
    this.#options = options;
  }

  sampled(sample: LimitSample): void {
    if (this.#hasActed) return;
    const { clock, settings } = this.#options;
    for (const limit of limitNames) {
      const figures = figuresOf(limit, sample, settings());
      if (!figures) continue;
      const before = this.#episodes[limit];
      this.#episodes[limit] = nextEpisode(before, figures, settings().sustainedSamples, clock.now());
      this.#log(limit, before, figures);
    }
    this.#actIfDue();
  }

  #log(limit: LimitName, before: Episode, { holder, ...figures }: Figures): void {
    const { clock, logEvent, settings } = this.#options;
    const after = this.#episodes[limit];
    if (before.kind === 'breached') {
      if (after.kind === 'breached') return;
      return logEvent('limit-recovered', { limit, ...figures, durationMs: clock.now() - before.overSinceMs });
    }
    if (after.kind === 'within') return;
    if (limit === 'cpu') return logEvent('high-cpu', figures);
    const { isSevere } = after;
    const named = holder && { holder };
    logEvent('limit-breached', { limit, ...figures, isSevere, ...named, action: settings().onBreach });
  }

  #actIfDue(): void {
    const { settings, onAct, platform = process.platform, server } = this.#options;
    const { onBreach } = settings();
    if (onBreach === 'notify') return;
    for (const limit of hardLimits) {
      const episode = this.#episodes[limit];
      if (episode.kind === 'within' || !this.#isDue(episode)) continue;
      this.#hasActed = true;
      const words = openFilesWordsOf[openFilesKindOf(platform)];
      return onAct(onBreach, breachError(server, limit, episode.figures, words));
    }
  }

  #isDue({ isSevere, breachedAtMs }: Breach): boolean {
    const { clock, awaitedCalls } = this.#options;
    return isSevere || awaitedCalls() === 0 || clock.now() - breachedAtMs >= PATIENCE_MS;
  }
}

function breachError(
  server: string,
  limit: LimitName,
  { value, max, holder }: Figures,
  openFiles: OpenFilesWords,
): PanelError {
  const figure = (amount: number) =>
    limit === 'memory'
      ? `${Math.round(amount / BYTES_PER_MIB)} MiB of memory`
      : `${amount} ${openFiles.unit}`;
  const setting = limit === 'memory' ? 'Memory' : openFiles.title;
  const who = holder ? `, most of it ${holder.command} (pid ${holder.pid})` : '';
  const phrase = `used ${figure(value)}, over its limit of ${figure(max)}${who}`;
  return new PanelError('LIMIT_BREACHED', `${server} ${phrase}.`, {
    data: { limit, value, max, holder },
    remedy: `If it needs that much, raise "${setting}" in its configuration.`,
    short: { phrase },
  });
}

export type LimitSettings = PanelSettings['limits'];
type LimitName = 'memory' | 'openFiles' | 'cpu';

/** Figures of one sample of a process tree that limits apply to. A figure is undefined if it could not be read. */
export interface LimitSample {
  readonly memoryBytes?: number | undefined;
  /** CPU of the whole process tree in percent; 100 is one core. */
  readonly cpuPercent?: number | undefined;
  readonly largestProcess?: TreeFacts['largest'] | undefined;
  /** The process with the most open files and their number; the limit applies to each process separately. */
  readonly maxOpenFiles?: TreeFacts['mostOpenFiles'] | undefined;
}

interface Figures {
  /** Measured value: bytes (memory), files (openFiles) or percent of one core (cpu). */
  readonly value: number;
  readonly max: number;
  readonly holder: NamedFigure | undefined;
}

interface Breach {
  readonly kind: 'breached';
  readonly samplesCalm: number;
  readonly overSinceMs: number;
  readonly breachedAtMs: number;
  /** True if the value was more than twice the limit, so that the end of the process tree does not wait for calls. */
  readonly isSevere: boolean;
  /** Values of the sample with which the limit counted as exceeded, or of the one that made the excess severe. */
  readonly figures: Figures;
}

type Episode =
  { readonly kind: 'within'; readonly samplesOver: number; readonly overSinceMs: number } | Breach;

const within: Episode = { kind: 'within', samplesOver: 0, overSinceMs: 0 };
const hardLimits: readonly LimitName[] = ['memory', 'openFiles'];
const limitNames: readonly LimitName[] = [...hardLimits, 'cpu'];

function figuresOf(limit: LimitName, sample: LimitSample, settings: LimitSettings): Figures | undefined {
  const { memoryBytes, largestProcess, maxOpenFiles: most, cpuPercent } = sample;
  const [value, max, found] = {
    memory: [memoryBytes, settings.maxMemoryMiB * BYTES_PER_MIB, largestProcess] as const,
    openFiles: [most?.openFiles, settings.maxOpenFiles, most] as const,
    cpu: [cpuPercent, settings.maxCpuPercent, undefined] as const,
  }[limit];
  const isArmed = limit !== 'openFiles' || max < NO_OPEN_FILES_LIMIT;
  if (!isArmed || value === undefined || !Number.isFinite(value)) return undefined;
  return { value, max, holder: found && { pid: found.pid, command: found.command } };
}

function nextEpisode(episode: Episode, figures: Figures, sustained: number, nowMs: number): Episode {
  const { value, max } = figures;
  const isSevere = value > max * SEVERE_FACTOR;
  if (episode.kind === 'breached') {
    const samplesCalm = value < max * CALM_FRACTION ? episode.samplesCalm + 1 : 0;
    if (samplesCalm >= sustained) return within;
    const worsened = isSevere && !episode.isSevere ? { isSevere, figures } : {};
    return { ...episode, samplesCalm, ...worsened };
  }
  if (value <= max) return within;
  const samplesOver = episode.samplesOver + 1;
  const overSinceMs = episode.samplesOver === 0 ? nowMs : episode.overSinceMs;
  if (samplesOver < sustained) return { kind: 'within', samplesOver, overSinceMs };
  return { kind: 'breached', samplesCalm: 0, overSinceMs, breachedAtMs: nowMs, isSevere, figures };
}
