import type { SharingView } from '../../../shared/domain.ts';
import type { ServerConfig } from '../../../shared/server-config.ts';

/** How a server is shared as long as nothing but its setting is known of it. */
export function defaultSharing({ panel }: ServerConfig): Omit<SharingView, 'setting'> {
  const { mode } = panel.sessions;
  if (mode === 'auto')
    return { mode: 'shared', reason: 'default', words: 'Nothing speaks against sharing it.' };
  return { mode, reason: 'setting', words: 'servers.json says so.' };
}
