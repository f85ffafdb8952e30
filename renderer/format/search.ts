import type { ServerView } from '../../shared/domain.ts';
import { markWords, shownMark, shownState, stateWords } from '../../shared/server-states.ts';

/** Whether every word of the search occurs in the server's name, state or command. An empty search matches all servers. */
export function matchesSearch(
  server: Pick<ServerView, 'name' | 'state' | 'restartAttempt' | 'target'>,
  search: string,
): boolean {
  const states = `${stateWords[shownState(server)]} ${markWords[shownMark(server)]}`;
  const haystack = `${server.name} ${states} ${server.target}`.toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => haystack.includes(word));
}
