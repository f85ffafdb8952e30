import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { app } from 'electron';
import { releaseAll, type ReleaseOptions } from '../../core/quit.ts';
import { Updates } from './updates.ts';

/** Creates the updates of this panel. Nothing is read or loaded before the first query. */
export function createUpdates(releasing: ReleaseOptions): Updates {
  return new Updates({
    facts: () => ({ isPackaged: app.isPackaged, platform: process.platform, feed: readFeed() }),
    loadEngine: async () => (await import('./update-engine.ts')).createUpdateEngine(),
    release: () => releaseAll(releasing),
    quit: () => app.quit(),
    notice: releasing.notice,
  });
}

/** Reads a file of the package beside the archive; it exists only in builds with a feed. */
function readFeed(): string | undefined {
  try {
    return readFileSync(join(process.resourcesPath, 'app-update.yml'), 'utf8');
  } catch {
    return undefined;
  }
}
