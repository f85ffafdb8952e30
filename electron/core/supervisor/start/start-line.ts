import type { ServerConfig } from '../../../../shared/server-config.ts';
import { installKey } from '../../../../shared/package-run.ts';

/**
 * Why a server is started, which decides its position in the queue. Starts that a caller waits for (`awaited`) come first; a
 * retry after a failed start comes last, because it will probably fail again.
 */
export type StartPurpose = 'awaited' | 'automatic' | 'retry';

export interface Entrant {
  readonly name: string;
  /** Package that the start installs. Two starts with the same package must not run at the same time. */
  readonly key: string | undefined;
  /** Whether the start needs a slot; false for a remote server, which uses almost no resources of this machine. */
  readonly takesPlace: boolean;
  purpose: StartPurpose;
  /** Whether no process of the server's previous run is left, so that the start may be admitted. */
  isReady: boolean;
  /** Monotonic time in ms when the start was admitted or was last seen to work. */
  workedAtMs: number;
  idleMs: number;
  readonly admit: () => void;
  readonly onMoved: () => void;
}

/** Position of a start in the queue, and what it waits for. */
export interface PlaceInLine {
  /** Position in the queue, from 1 (admitted next). 0 means that a slot is free and the start waits only due to `sameInstall`. */
  readonly position: number;
  /** Names of the starts before this one, in order. */
  readonly behind: readonly string[];
  /** Names of the starts that occupy the slots, or get one next. */
  readonly starting: readonly string[];
  /** Name of the current start that installs the same package; undefined if none. */
  readonly sameInstall: string | undefined;
}

const RANKS: Readonly<Record<StartPurpose, number>> = { awaited: 0, automatic: 1, retry: 2 };
/** Milliseconds of idleness after which a start frees its slot: long, because an install waiting for the network is idle too. */
const IDLE_MS = 15_000;
/** Shorter idle time in ms for a retry, which will probably fail again, and for any start if an awaited start is next. */
const SHORT_IDLE_MS = 3000;
const MAX_NAMES = 3;

export function entrantOf(
  config: ServerConfig,
  nowMs: number,
  { purpose, admit, onMoved }: Pick<Entrant, 'purpose' | 'admit' | 'onMoved'>,
): Entrant {
  return {
    name: config.name,
    key: installKey(config),
    takesPlace: config.transport === 'stdio',
    purpose,
    isReady: false,
    workedAtMs: nowMs,
    idleMs: 0,
    admit,
    onMoved,
  };
}

export function inOrder(waiting: Iterable<Entrant>): readonly Entrant[] {
  return [...waiting].sort((one, other) => RANKS[one.purpose] - RANKS[other.purpose]);
}

/**
 * Returns the admitted starts that occupy a slot, as far as a new start with this purpose is concerned. Starts that have been
 * idle for too long do not occupy one.
 */
export function holders(inside: Iterable<Entrant>, purpose: StartPurpose): readonly Entrant[] {
  return [...inside].filter(
    ({ takesPlace, idleMs, purpose: own }) =>
      takesPlace && idleMs < (purpose === 'awaited' || own === 'retry' ? SHORT_IDLE_MS : IDLE_MS),
  );
}

/** Returns the number of free slots for starts of that purpose; 0 or less means none. */
export function freePlaces(
  inside: Iterable<Entrant>,
  purpose: StartPurpose,
  startConcurrency: number,
): number {
  const holding = holders(inside, purpose);
  const free = startConcurrency + (purpose === 'awaited' ? 1 : 0) - holding.length;
  if (purpose !== 'retry') return free;
  // Retries may use only one of the slots.
  return Math.min(free, holding.some((other) => other.purpose === 'retry') ? 0 : 1);
}

/** Returns the position as text for the state: "3rd in line, behind a, b". */
export function lineWords({ position, behind, starting, sameInstall }: PlaceInLine): string {
  if (position === 0) return `waiting for ${sameInstall ?? ''}, which installs the same package`;
  const place = `${position}${ORDINAL_ENDINGS.get(ordinals.select(position)) ?? 'th'} in line`;
  if (position > 1) return `${place}, behind ${listed(behind)}`;
  if (starting.length === 0) return place;
  return `${place}, until ${starting.length > 1 ? 'one of ' : ''}${listed(starting)} has started`;
}

const ordinals = new Intl.PluralRules('en', { type: 'ordinal' });
const ORDINAL_ENDINGS: ReadonlyMap<Intl.LDMLPluralRule, string> = new Map([
  ['one', 'st'],
  ['two', 'nd'],
  ['few', 'rd'],
]);

function listed(names: readonly string[]): string {
  const shown = names.slice(0, MAX_NAMES).join(', ');
  return names.length > MAX_NAMES ? `${shown} and ${names.length - MAX_NAMES} more` : shown;
}
