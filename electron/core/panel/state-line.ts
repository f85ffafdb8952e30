import type { StateChange } from './panel-signals.ts';

/** Line `<ISO time> <server> <state kind> [reason]`. Scripts read it, so its order never changes. */
export function stateLine({ at, server, state }: StateChange): string {
  const words = [new Date(at).toISOString(), server, state.kind];
  return state.reason === undefined ? words.join(' ') : [...words, state.reason].join(' ');
}
