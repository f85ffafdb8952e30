import type { StateChange } from './panel-signals.ts';

/**
 * Returns the line `<ISO time> <server> <state kind> [reason]`. The order of its parts never changes, because scripts read it.
 */
export function stateLine({ at, server, state }: StateChange): string {
  const words = [new Date(at).toISOString(), server, state.kind];
  return state.reason === undefined ? words.join(' ') : [...words, state.reason].join(' ');
}
