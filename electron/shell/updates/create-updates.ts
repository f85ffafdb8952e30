import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { app } from 'electron';
import { releaseAll, type ReleaseOptions } from '../../core/quit.ts';
import { Updates } from './updates.ts';

/** The updates of this panel. Nothing is read or loaded before somebody looks. */
export function createUpdates(releasing: ReleaseOptions): Updates {
  return new Updates({
    facts: () => ({ isPackaged: app.isPackaged, platform: process.platform, feed: readFeed() }),
    loadEngine: async () => (await import('./update-engine.ts')).createUpdateEngine(),
    release: () => releaseAll(releasing),
    quit: () => app.quit(),
    notice: releasing.notice,
  });
}

/** A file of the package, beside the archive: written when the build has a feed, and named by nothing else. */
function readFeed(): string | undefined {
  try {
    return readFileSync(join(process.resourcesPath, 'app-update.yml'), 'utf8');
  } catch {
    return undefined;
  }
}
