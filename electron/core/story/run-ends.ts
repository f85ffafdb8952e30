import type { BegunEvent, PanelEvent } from '../../../shared/events.ts';
import type { EndCause } from '../../../shared/restart-story.ts';

/** End of one run, or of a failed start, with the events around it. */
export interface FoundEnd {
  /** Id of the event that reports the end, followed by the instance if one event reports several ends. */
  readonly id: string;
  readonly event: PanelEvent;
  readonly at: number;
  /** True if the end itself was not observed, so that `at` is only its latest possible time. */
  readonly isAtLatest: boolean;
  readonly cause: EndCause;
  readonly instance: string | undefined;
  /** Event that reported that the run was up; undefined if the run never was, or if no such event is stored. */
  readonly began: BegunEvent | undefined;
  /** Events of the run before its end that may have led to it, oldest first; only the last 100. */
  readonly before: readonly PanelEvent[];
  /** Events after the end, up to the one that shows its outcome (such as a restart); at most 20. */
  readonly after: readonly PanelEvent[];
}

/** State of one instance of the server between two events. */
interface Instance {
  readonly name: string | undefined;
  run: { readonly began: BegunEvent; readonly before: PanelEvent[] } | undefined;
  /** Events while no run is up that may lead to the next end: edits of the configuration, or a wake of the machine. */
  idle: PanelEvent[];
  last: LastEnd | undefined;
}

/** Decision of the restart policy about a failure. */
type DecisionEvent = Extract<PanelEvent, { readonly kind: 'restart-scheduled' | 'gave-up' }>;

interface LastEnd {
  readonly end: FoundEnd;
  readonly after: PanelEvent[];
  /** True if it is known what followed the end. */
  isSettled: boolean;
  /** True if the panel was not restarted since the end. Generations of runs are comparable only within one start of the panel. */
  isOfLaunch: boolean;
}

const MAX_BEFORE = 100;
const MAX_AFTER = 20;

const causeOfFailure: ReadonlyMap<string | undefined, EndCause> = new Map([
  ['crash', 'crash'],
  ['stall', 'stall'],
  ['limit', 'limit'],
]);
const causeOfCommand: ReadonlyMap<string | undefined, EndCause> = new Map([
  ['limit', 'limit'],
  ['person', 'request'],
  ['configuration', 'configuration'],
  ['session', 'session'],
  ['panel', 'panel-quit'],
]);

/**
 * Finds every end of a run of one server and its replicas in `events`, in their order, each once. The events are those of the
 * server and those of no particular server, oldest first, and any may be missing. An end whose event is lost has the cause
 * `unknown`, never a guessed one.
 */
export function readRuns(events: readonly PanelEvent[]): ReadRuns {
  const reader = new EndReader();
  for (const event of events) reader.take(event);
  return reader;
}

interface ReadRuns {
  readonly ends: readonly FoundEnd[];
  /** Event that began the main instance's current run; undefined if no run is up after the last event. */
  readonly up: BegunEvent | undefined;
}

/** Reads events in order. The caller may remove ends that it has processed. */
export class EndReader implements ReadRuns {
  readonly ends: FoundEnd[] = [];
  readonly #instances = new Map<string, Instance>();
  #quit: PanelEvent | undefined;

  get up(): BegunEvent | undefined {
    return this.#instances.get('')?.run?.began;
  }

  take(event: PanelEvent): void {
    if (event.kind === 'panel-started') return this.#launched(event);
    if (event.kind === 'panel-quit') this.#quit = event;
    if (event.server === null || isOfAll(event)) {
      this.#instanceOf(undefined);
      for (const instance of this.#instances.values()) note(instance, event);
      return;
    }
    this.#takeOf(this.#instanceOf(event.detail.instance), event);
  }

  #takeOf(instance: Instance, event: PanelEvent): void {
    switch (event.kind) {
      case 'started':
      case 'restarted':
      case 'woken':
        if (instance.run) this.#end(instance, event, 'unknown', true);
        settle(instance, event);
        instance.run = { began: event, before: instance.idle.splice(0) };
        return;
      case 'crashed':
        return this.#endOnce(instance, event, 'crash');
      case 'stalled':
        return event.detail.isEnding === true
          ? this.#endOnce(instance, event, 'stall')
          : note(instance, event);
      case 'ended':
        return this.#endOnce(instance, event, this.#causeOfCommand(event.detail.by));
      case 'stopped':
        // A stop without a run, or of a run that has ended, is the outcome of the previous end.
        if (instance.run) return this.#end(instance, event, this.#causeOfCommand(event.detail.by));
        return settle(instance, event);
      case 'slept':
        // A sleep does not count as an end, because nobody needs an explanation for it.
        instance.run = undefined;
        return settle(instance, event);
      case 'start-failed':
        if (instance.run) this.#end(instance, event, 'unknown', true);
        settle(instance, event);
        this.#end(instance, event, 'start');
        return;
      case 'restart-scheduled':
      case 'gave-up':
        return this.#decided(instance, event);
      default:
        return note(instance, event);
    }
  }

  /** Treats the policy's decision as the report of an end that has no other event, as in earlier versions. */
  #decided(instance: Instance, event: DecisionEvent): void {
    if (instance.run) this.#end(instance, event, causeOfFailure.get(event.detail.cause) ?? 'unknown');
    if (event.kind === 'gave-up') settle(instance, event);
    else followed(instance, event);
  }

  /** Handles a start of the panel: all runs that seem to be up have ended, because no run outlives the panel. */
  #launched(event: Extract<PanelEvent, { readonly kind: 'panel-started' }>): void {
    const quit = this.#quit;
    this.#quit = undefined;
    for (const instance of this.#instances.values()) {
      if (!instance.run) followed(instance, event);
      else if (quit) this.#end(instance, quit, 'panel-quit');
      else this.#end(instance, event, event.detail.endedUncleanly === true ? 'panel-lost' : 'unknown', true);
      instance.idle = [];
      if (instance.last) instance.last.isOfLaunch = false;
      // A replica never restarts; its name may be reused by another.
      if (instance.name !== undefined) this.#instances.delete(instance.name);
    }
  }

  #causeOfCommand(by: string | undefined): EndCause {
    const cause = causeOfCommand.get(by) ?? 'unknown';
    // When the panel quits, sessions end and so do their processes. The cause is therefore the quitting.
    return this.#quit && (cause === 'session' || cause === 'unknown') ? 'panel-quit' : cause;
  }

  /** Records an end once. A second event of the same end is part of its outcome. */
  #endOnce(instance: Instance, event: PanelEvent, cause: EndCause): void {
    const { generation } = event.detail;
    const last = instance.last?.isOfLaunch === true ? instance.last.end : undefined;
    const toldOf = last?.event.detail.generation;
    if (!instance.run && toldOf !== undefined && toldOf === generation) return followed(instance, event);
    this.#end(instance, event, cause);
  }

  #end(instance: Instance, event: PanelEvent, cause: EndCause, isAtLatest = false): void {
    const { name, run } = instance;
    const after: PanelEvent[] = [];
    const end: FoundEnd = {
      id: name === undefined ? event.id : `${event.id} ${name}`,
      event,
      at: event.at,
      isAtLatest,
      cause,
      instance: name,
      began: run?.began,
      before: run?.before ?? instance.idle.splice(0),
      after,
    };
    instance.run = undefined;
    instance.last = { end, after, isSettled: false, isOfLaunch: true };
    this.ends.push(end);
  }

  #instanceOf(name: string | undefined): Instance {
    const key = name ?? '';
    const known = this.#instances.get(key);
    if (known) return known;
    const made: Instance = { name, run: undefined, idle: [], last: undefined };
    this.#instances.set(key, made);
    return made;
  }
}

/** True for configuration edits and version changes, which are recorded for the server and affect all its processes. */
const isOfAll = ({ kind, detail }: PanelEvent): boolean =>
  detail.instance === undefined && (kind === 'config-changed' || kind === 'server-version-changed');

/** Adds the event to the possible causes of the next end, and to the outcome of the last one. */
function note(instance: Instance, event: PanelEvent): void {
  const before = instance.run?.before ?? instance.idle;
  before.push(event);
  if (before.length > MAX_BEFORE) before.shift();
  if (!instance.run) followed(instance, event);
}

function followed({ last }: Instance, event: PanelEvent): void {
  if (last && !last.isSettled && last.after.length < MAX_AFTER) last.after.push(event);
}

/** Adds this event as the last one that followed the previous end, because it shows the outcome of that end. */
function settle(instance: Instance, event: PanelEvent): void {
  followed(instance, event);
  if (instance.last) instance.last.isSettled = true;
}

/** Share of ends that show a pattern: their number, and the total. */
interface Share {
  readonly count: number;
  readonly of: number;
  /** Ids of the ends that show the pattern, newest first. */
  readonly ends: string[];
}

/** Minimum number of ends for a pattern; fewer are a coincidence. */
export const LEAST_ENDS = 3;

const MAX_IDS = 500;

/** True for crashes, stalls and limit breaches: failures of a run that was up. */
export const isFault = ({ cause }: FoundEnd): boolean =>
  cause === 'crash' || cause === 'stall' || cause === 'limit';

export const lostShareOf = (own: readonly FoundEnd[], all: readonly FoundEnd[]): Share => ({
  count: own.length,
  of: all.length,
  ends: own
    .slice(-MAX_IDS)
    .map(({ id }) => id)
    .toReversed(),
});

/** Returns a list with one pattern (`facts` and the share of ends that show it), or an empty list if too few ends show it. */
export function namedShare<const Facts extends object>(
  own: readonly FoundEnd[],
  all: readonly FoundEnd[],
  leastFraction: number,
  facts: Facts,
): readonly (Facts & Share)[] {
  const isNamed = own.length >= LEAST_ENDS && own.length >= all.length * leastFraction;
  return isNamed ? [{ ...facts, ...lostShareOf(own, all) }] : [];
}
