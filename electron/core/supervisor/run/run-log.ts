import type { Clock } from '../../clock.ts';
import type { EventDetails, EventKind, LogEvent } from '../../../../shared/events.ts';
import { toErrorDetail, type PanelError } from '../../../../shared/error-codes.ts';
import type { Evidence } from '../liveness/gather-facts.ts';
import type { VerdictRow } from '../liveness/verdict.ts';
import type { Sample } from '../../../../shared/domain.ts';
import type { PanelSettings } from '../../../../shared/panel-settings.ts';
import type { CallInFlight } from '../../mcp/open-call.ts';

interface BegunRun {
  readonly pid: number | undefined;
  readonly serverInfo: { readonly name: string; readonly version: string } | undefined;
  /** Milliseconds after which a run counts as stable; a later failure is then not counted together with earlier ones. */
  readonly stableAfterMs: number;
}

interface RunLogOptions {
  readonly clock: Clock;
  readonly logEvent: LogEvent;
  readonly stderrTail: () => string;
  readonly generation: () => number;
  /** Returns the number of automatic starts in a row; 0 for a manual start. */
  readonly attempts: () => number;
  readonly idleMs: () => number | undefined;
}

/** Sleep of a server: its run was ended to save resources until the next use. Measured from when the run begins to end. */
type Sleep = EventDetails['slept'] & {
  readonly fromMs: number;
  /** State of the run; undefined once its end has been reported. */
  atEnd: AtEnd | undefined;
  wakes?: { readonly by: 'call' | 'command'; readonly fromMs: number };
};

/**
 * Who ended a run that was up: the user, a change of its entry, the panel when it quit, the end of a replica's session, or a
 * limit. A sleep is begun by the user or by a time without use, and ended by the user or a call.
 */
export type EndedBy = 'person' | 'configuration' | 'panel' | 'session' | 'limit' | 'idle' | 'call';

export class RunLog {
  readonly #options: RunLogOptions;
  /** State of the run when the stop began; it is included in the `stopped` event when the stop completes. */
  #stopping: (AtEnd & { readonly by: EndedBy }) | undefined;
  /** The current or most recent sleep; undefined after a start, or if the run was then ended for another reason. */
  #sleep: Sleep | undefined;

  constructor(options: RunLogOptions) {
    this.#options = options;
  }

  began(kind: 'started' | 'restarted', { pid, serverInfo, stableAfterMs }: BegunRun): void {
    const run = { pid, serverInfo, attempt: this.#attempt, stableAfterMs };
    const sleep = this.#sleep;
    this.#sleep = undefined;
    if (!sleep?.wakes) return this.#log(kind, run);
    const { by, fromMs } = sleep.wakes;
    const tookMs = Math.round(this.#options.clock.now()) - fromMs;
    this.#log('woken', { ...run, by, tookMs, sleptForMs: fromMs - sleep.fromMs });
  }

  doubted(
    kind: 'suspect' | 'stalled',
    verdict: { readonly row: VerdictRow; readonly words: string },
    evidence: Evidence,
    end?: Partial<AtEnd> & { readonly isEnding: true | undefined },
  ): void {
    const { row, words } = verdict;
    const { silentMs: elapsedMs, calls } = evidence;
    const pendingMethods = calls.map(({ method }) => method);
    const stderrTail = this.#options.stderrTail();
    this.#log(kind, { row, words, elapsedMs, pendingMethods, evidence, ...end, stderrTail });
  }

  recovered({ silentMs }: Evidence, row: VerdictRow): void {
    this.#log('recovered', row === 10 ? { row } : { silentMs, row });
  }

  startFailed(error: PanelError): void {
    this.#sleep = undefined;
    this.#log('start-failed', {
      ...toErrorDetail(error, 'START_FAILED'),
      ...error.data,
      attempt: this.#attempt,
    });
  }

  crashed(error: PanelError, atEnd: AtEnd | undefined): void {
    this.#log('crashed', { ...toErrorDetail(error, 'CRASHED'), ...error.data, ...atEnd });
  }

  /** @param why who ends the run, or the breach of a limit @param atEnd undefined if no run was up */
  ending(
    next: 'stopped' | 'starting' | 'verdict' | 'asleep',
    why: EndedBy | PanelError,
    atEnd: AtEnd | undefined = this.#sleep?.atEnd,
  ): void {
    const cause = typeof why === 'string' ? { by: why } : { by: 'limit' as const, ...why.data };
    const end = atEnd ? { ...cause, ...atEnd } : this.#stopping;
    this.#stopping = next === 'stopped' ? end : undefined;
    this.#sleep = undefined;
    if (next === 'asleep') return this.#beginSleep(why, atEnd);
    if (end && next !== 'stopped') this.#log('ended', { ...end, stderrTail: this.#options.stderrTail() });
  }

  stopped(): void {
    this.#log('stopped', { ...this.#stopping });
    this.#stopping = undefined;
  }

  slept(): void {
    if (!this.#sleep) return;
    const { why, idleForMs, memoryBytes } = this.#sleep;
    this.#sleep.atEnd = undefined;
    this.#log('slept', { why, idleForMs, memoryBytes });
  }

  /** Called when something ends the sleep: a start begins, or a stop was reported. */
  waking(by: EndedBy): void {
    const fromMs = Math.round(this.#options.clock.now());
    if (this.#sleep) this.#sleep.wakes = { by: by === 'person' ? 'command' : 'call', fromMs };
  }

  /** Memory in bytes that the processes used before the last sleep. */
  get heldBytes(): number | undefined {
    return this.#sleep?.memoryBytes;
  }

  #beginSleep(by: EndedBy | PanelError, atEnd: AtEnd | undefined): void {
    const why = by === 'person' ? 'command' : 'idle';
    const idleForMs = Math.round(this.#options.idleMs() ?? 0);
    const fromMs = Math.round(this.#options.clock.now());
    this.#sleep = { why, idleForMs, memoryBytes: atEnd?.inUse?.memoryBytes, fromMs, atEnd };
  }

  get #attempt(): number | undefined {
    return this.#options.attempts() || undefined;
  }

  #log<K extends EventKind>(kind: K, detail: EventDetails[K]): void {
    this.#options.logEvent(kind, { ...detail, generation: this.#options.generation() });
  }
}

/** Figures of a run's last sample, and the run's limits. A figure is undefined if it could not be read. */
interface InUse extends Omit<Sample, 'sharedMemoryBytes'> {
  readonly limits: Pick<PanelSettings['limits'], 'maxMemoryMiB' | 'maxCpuPercent' | 'maxOpenFiles'>;
}

/** State of a run when its end began, for events. */
export interface AtEnd {
  /** Oldest calls in flight, at most 50. */
  readonly calls: readonly CallInFlight[];
  /** Number of calls in flight; undefined if `calls` contains all of them. */
  readonly callsTotal?: number | undefined;
  /** Figures of the last sample; undefined for a remote server, and for a run that ended within a second. */
  readonly inUse?: InUse | undefined;
}

/** Maximum number of calls in an event, because an event is a line in a file and is sent to the app window. */
const MAX_CALLS = 50;

export function atEndOf(
  calls: readonly CallInFlight[],
  sample: Sample | undefined,
  { maxMemoryMiB, maxCpuPercent, maxOpenFiles }: PanelSettings['limits'],
): AtEnd {
  const limits = { maxMemoryMiB, maxCpuPercent, maxOpenFiles };
  return {
    calls: calls.slice(0, MAX_CALLS),
    callsTotal: calls.length > MAX_CALLS ? calls.length : undefined,
    inUse: sample && { ...withoutShared(sample), limits },
  };
}

const withoutShared = ({ sharedMemoryBytes: _, ...figures }: Sample): Sample => figures;
