import type { StateKind } from '../../shared/domain.ts';

/** Worst first: the order of the menu, and of what the icon shows. */
export const worstFirst: readonly StateKind[] = [
  'failed',
  'stalled',
  'backoff',
  'suspect',
  'starting',
  'stopping',
  'running',
  'stopped',
];

/** Shape and word of a state; colour is not to be had in a menu. */
export const stateWords: Readonly<Record<StateKind, { readonly glyph: string; readonly word: string }>> = {
  running: { glyph: '●', word: 'Running' },
  starting: { glyph: '◐', word: 'Starting' },
  suspect: { glyph: '◒', word: 'Suspect' },
  stalled: { glyph: '◍', word: 'Not responding' },
  backoff: { glyph: '▲', word: 'Restarting' },
  stopping: { glyph: '◌', word: 'Stopping' },
  stopped: { glyph: '○', word: 'Stopped' },
  failed: { glyph: '⊗', word: 'Failed' },
};

/** The tooltip lists what is well first. */
export const bestFirst: readonly StateKind[] = [
  'running',
  'starting',
  'suspect',
  'backoff',
  'stalled',
  'failed',
  'stopping',
  'stopped',
];
