import type { NamedEntry } from '../../../shared/ipc/topics/entries.ts';

/**
 * Entry that `save-forever.ts` saves as its save number `count`: the same 40 servers over and over, each time
 * another one.
 */
export function savedEntry(count: number): NamedEntry {
  return { name: `s${count % 40}`, command: 'x', args: [String(count), 'y'.repeat(2000)] };
}
