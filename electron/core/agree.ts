import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { parseServersContent } from './config/servers-file.ts';
import { openConsents } from './consent/consents.ts';
import { differenceWords } from './consent/difference.ts';
import { readContent } from './files/file-content.ts';
import { systemClock as clock } from './platform/system-clock.ts';
import type { Terminal } from './terminal.ts';

/**
 * Records the user's consent to start the servers as they are defined in servers.json, and prints one line for each definition
 * that had no consent yet. Notifies a running panel.
 * @param names names of servers, separated by commas; undefined for all
 * @returns the exit code: 1 if a name does not exist
 */
export async function agree(home: string, names: string | undefined, terminal: Terminal): Promise<number> {
  const { notice, state } = terminal;
  const path = join(home, 'servers.json');
  const parsed = parseServersContent(path, await readContent(path));
  if (parsed.kind === 'broken') {
    notice(`servers.json: ${parsed.problem.message}`);
    return 1;
  }
  const configs = parsed.entries.flatMap((entry) => ('config' in entry ? [entry.config] : []));
  const wanted = names?.split(',').map((name) => name.trim());
  const unknown = wanted?.filter((wantedName) => !configs.some(({ name }) => name === wantedName)) ?? [];
  for (const name of unknown) notice(`there is no server "${name}" in ${path}`);
  if (unknown.length > 0) return 1;
  const consents = await openConsents(
    { home, clock, wallClock: clock, randomBytes, consent: 'ask', howToAgree: () => '', notice },
    configs,
  );
  consents.dispose();
  const chosen = configs.filter(({ name }) => wanted?.includes(name) ?? true);
  const asked = chosen.filter((config) => !consents.isAgreed(config.name, config));
  for (const config of asked)
    state(`agreed to ${config.name}: ${differenceWords(consents.look(config).difference)}`);
  await consents.agreeTo(asked, 'cli');
  if (asked.length === 0) state('agreed to already');
  return 0;
}
