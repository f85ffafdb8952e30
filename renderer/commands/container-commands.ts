import {
  containablePackage,
  isMovable,
  outOfContainer,
  packageWordsIn,
} from '../../shared/container-entry.ts';
import type { ServerView } from '../../shared/domain.ts';
import type { Services } from '../services.ts';

type Known = Pick<Services, 'panel'>;

const INTO = 'Run in a container…';
const OUT_OF = 'Run as a process again:';

/** Command that switches a package between container and process; left out for a server with only one of the two options. */
export const containerCommand = {
  name: nameFor,
  menu: (server: ServerView, services: Known) => nameFor(server, services)?.replace(':', ''),
  run: async ({ panel, manage }: Known & Pick<Services, 'manage'>, name: string): Promise<void> => {
    const server = panel.getState().servers.get(name);
    const chosen = server && nameFor(server, { panel });
    if (chosen === INTO) manage.open({ kind: 'contain', server: name });
    if (chosen !== OUT_OF) return;
    // The failure needs no message here, because a banner already reports a file that cannot be read.
    const { entry: before } = await manage.api.getEntry(name).catch(() => ({ entry: {} }));
    const after = outOfContainer(before);
    // The user is not asked first, because the note shown afterwards has an undo button.
    if (after) await manage.replace(name, { before, after }, `Changed ${name} to run as a process again.`);
  },
};

/** Command that moves a server to another engine, or back. */
export const moveCommand = {
  name: (server: ServerView) => moveWords(server)?.replace('…', ':'),
  menu: moveWords,
  run: ({ manage }: Pick<Services, 'manage'>, server: string) =>
    manage.open({ kind: 'contain', server, isMove: true }),
};

function moveWords({ transport, target }: ServerView): string | undefined {
  return transport === 'stdio' && isMovable(target.split(' ')) ? 'Move to another engine…' : undefined;
}

function nameFor({ transport, target }: ServerView, { panel }: Known): string | undefined {
  if (transport !== 'stdio') return undefined;
  const words = target.split(' ');
  if (packageWordsIn(words) !== undefined) return OUT_OF;
  const isPossible = panel.getState().engines.length > 0 && containablePackage(words) !== undefined;
  return isPossible ? INTO : undefined;
}
