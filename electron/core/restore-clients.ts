import { join } from 'node:path';
import { messageOf } from '../../shared/message-of.ts';
import { MovedFile } from './config/moving/moved-file.ts';
import { restoreMoved } from './config/moving/restore-moved.ts';
import { systemClock } from './platform/system-clock.ts';
import type { Terminal } from './terminal.ts';

/**
 * Restores, in the files of other programs, every entry that was moved from there to the panel, and prints one line for each.
 * The panel need not be running. Never rejects.
 * @returns the exit code: 1 if a user has to check an entry
 */
export async function restoreClients(home: string, { state, notice }: Terminal): Promise<number> {
  try {
    const { restored, asked } = await restoreMoved(new MovedFile(join(home, 'moved.json')), systemClock);
    for (const { client, server, path } of restored) state(`restored ${client} ${server} in ${path}`);
    for (const { client, server, path, reason } of asked)
      state(`left ${client} ${server} in ${path}: ${reason}`);
    if (restored.length + asked.length === 0) notice('nothing was moved from another program');
    return asked.length === 0 ? 0 : 1;
  } catch (error) {
    notice(messageOf(error));
    return 1;
  }
}
