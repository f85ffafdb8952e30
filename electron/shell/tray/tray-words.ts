import { isEnded, severityOrder, stateWords, type StateKind } from '../../../shared/server-states.ts';

/** Shape of a state, since colour is not to be had in a menu. */
const glyphs: Readonly<Record<StateKind, string>> = {
  running: '●',
  starting: '◐',
  suspect: '◒',
  stalled: '◍',
  backoff: '▲',
  stopping: '◌',
  stopped: '○',
  failed: '⊗',
};

/** "● memory: Running" */
export const serverLabel = (name: string, kind: StateKind): string =>
  `${glyphs[kind]} ${name}: ${stateWords[kind]}`;

/** The tooltip lists what is well first, and last what was stopped on purpose. */
export const bestFirst: readonly StateKind[] = [
  ...severityOrder.filter((kind) => !isEnded(kind)).reverse(),
  ...severityOrder.filter(isEnded),
];
