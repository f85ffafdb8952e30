import { closeSync, openSync } from 'node:fs';
import { devNull } from 'node:os';

/** @throws the system's error (EMFILE, ENFILE) when `count` more descriptors cannot be opened. */
export function requireFreeDescriptors(count: number): void {
  const opened: number[] = [];
  try {
    while (opened.length < count) opened.push(openSync(devNull, 'r'));
  } finally {
    for (const descriptor of opened) closeSync(descriptor);
  }
}
