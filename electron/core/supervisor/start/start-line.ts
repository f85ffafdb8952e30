import type { ServerConfig } from '../../../../shared/server-config.ts';
import { installKey } from '../../../../shared/package-run.ts';

/**
 * Why a start is made. What a client or a person waits for goes first; an attempt after a start that failed goes last,
 * because nothing says that it will end otherwise.
 */
export type StartPurpose = 'awaited' | 'automatic' | 'retry';

/** One start at the gate, waiting or let in. */
export interface Entrant {
  readonly name: string;
  /** Equal for two starts that must not run at the same time. */
  readonly key: string | undefined;
  /** False for a remote server, which uses next to nothing of this machine. */
  readonly takesPlace: boolean;
  purpose: StartPurpose;
  /** Nothing of its last run is left. */
  isReady: boolean;
  /** When it was let in, or was last seen to work. */
  workedAtMs: number;
  /** How long it had done nothing when it was last looked at. */
  idleMs: number;
  readonly admit: () => void;
  /** What it waits for may be another thing now. */
  readonly onMoved: () => void;
}

/** What a start waits for. */
export interface PlaceInLine {
  /** 1 is let in next. 0: a place is free, and only `sameInstall` holds it up. */
  readonly position: number;
  /** Names of the starts before it in the line, in order. */
  readonly behind: readonly string[];
  /** Names of the starts that hold the places, or are about to. */
  readonly starting: readonly string[];
  /** Name of the start under way that installs the same package. */
  readonly sameInstall: string | undefined;
}

const RANKS: Readonly<Record<StartPurpose, number>> = { awaited: 0, automatic: 1, retry: 2 };
/** An install that waits for the network uses next to nothing for a moment, too. */
const IDLE_MS = 15_000;
/** The same where somebody waits for another start, and for an attempt that most likely fails again. */
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

/** In the order in which they are let in: by purpose, then first come first served. */
export function inOrder(waiting: Iterable<Entrant>): readonly Entrant[] {
  return [...waiting].sort((one, other) => RANKS[one.purpose] - RANKS[other.purpose]);
}

/** Those inside that hold a place as far as a start of that purpose is concerned. */
export function holders(inside: Iterable<Entrant>, purpose: StartPurpose): readonly Entrant[] {
  return [...inside].filter(
    ({ takesPlace, idleMs, purpose: own }) =>
      takesPlace && idleMs < (purpose === 'awaited' || own === 'retry' ? SHORT_IDLE_MS : IDLE_MS),
  );
}

/** How many places are left for starts of that purpose; not more than 0 means none. */
export function freePlaces(
  inside: Iterable<Entrant>,
  purpose: StartPurpose,
  startConcurrency: number,
): number {
  const holding = holders(inside, purpose);
  const free = startConcurrency + (purpose === 'awaited' ? 1 : 0) - holding.length;
  if (purpose !== 'retry') return free;
  // Attempts after failed starts have one place among them.
  return Math.min(free, holding.some((other) => other.purpose === 'retry') ? 0 : 1);
}

/** What a start waits for, in words for the state: "3rd in line, behind a, b". */
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
