import type { ServerView } from '../../shared/domain.ts';
import type { Services } from '../store/services.ts';
import { moveOnFrom } from './focus-server.ts';

const idle = new Set<ServerView['state']['kind']>(['stopped', 'failed', 'backoff']);

/** Removes at once what stands still: that can be undone. What would be interrupted is asked about first. */
export function askToRemove({ manage, panel }: Services, server: string): void {
  const kind = panel.getState().servers[server]?.state.kind;
  if (kind === undefined) return;
  if (idle.has(kind) || !panel.getState().asksQuestions) void manage.remove(server).then(moveOnFrom(server));
  else manage.open({ kind: 'remove', server });
}

export function toggleEnabled({ manage, panel }: Services, server: string): void {
  void manage.setEnabled(server, panel.getState().servers[server]?.disabled === true);
}
