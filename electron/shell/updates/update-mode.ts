import { parseUrl } from '../app/page-origin.ts';

/** What this run knows about where updates could come from. */
export interface UpdateFacts {
  readonly isPackaged: boolean;
  readonly platform: NodeJS.Platform;
  /** The text of `app-update.yml`, which electron-builder packs when the build has a feed. */
  readonly feed: string | undefined;
}

/**
 * `off`: there is no feed. `tell`: newer versions are told of. `install`: they can be installed, for the system or
 * electron-updater refuses what is not signed by whoever signed this app.
 */
export type UpdateMode = 'off' | 'tell' | 'install';

/**
 * macOS compares signatures by itself. On Windows electron-updater does, by the name in the feed's file, which
 * electron-builder writes there for a signed build; without one it would install anything. Linux has no such check.
 */
export function updateMode({ isPackaged, platform, feed }: UpdateFacts): UpdateMode {
  if (!isPackaged || feed === undefined) return 'off';
  const isChecked = platform === 'darwin' || (platform === 'win32' && /^publisherName:/m.test(feed));
  return isChecked ? 'install' : 'tell';
}

/** What may be fetched for an update: over https, or from this machine. Redirects are asked about as well. */
export function isUpdateUrl(url: string): boolean {
  const { protocol, hostname } = parseUrl(url) ?? {};
  if (protocol === 'http:') return ['127.0.0.1', '[::1]', 'localhost'].includes(hostname ?? '');
  return protocol === 'https:';
}
