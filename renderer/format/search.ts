import type { ServerView } from '../../shared/domain.ts';
import { shownState, stateWords } from '../../shared/server-states.ts';

/** Whether every word of the search occurs in the server's name, state or command. An empty search matches all. */
export function matchesSearch(
  server: Pick<ServerView, 'name' | 'state' | 'restartAttempt' | 'target'>,
  search: string,
): boolean {
  const haystack = `${server.name} ${stateWords[shownState(server)]} ${server.target}`.toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => haystack.includes(word));
}
