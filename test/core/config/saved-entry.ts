import type { NamedEntry } from '../../../shared/ipc/topics/entries.ts';

/** What `save-forever.ts` saves as its save number `count`: over and over the same 40 servers, each time another one. */
export function savedEntry(count: number): NamedEntry {
  return { name: `s${count % 40}`, command: 'x', args: [String(count), 'y'.repeat(2000)] };
}
