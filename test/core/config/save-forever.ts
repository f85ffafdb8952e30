import { openServersFile } from '../../../electron/core/config/servers-file.ts';
import { systemClock } from '../../../electron/core/platform/system-clock.ts';
import { savedEntry } from './saved-entry.ts';

/**
 * Saves entry after entry into the servers.json of `argv[2]`, from number `argv[3]` on, until it is killed.
 * Tells the number of each save.
 */
const [path = '', first = '0'] = process.argv.slice(2);
const file = await openServersFile({ path, clock: systemClock, onChange: () => undefined });
for (let count = Number(first); ; count += 1) {
  await file.put(savedEntry(count));
  process.stdout.write(`${count}\n`);
}
