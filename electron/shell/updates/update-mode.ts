import { parsedUrl } from '../../../shared/parsed.ts';

/** Data of this app run that decide about updates. */
export interface UpdateFacts {
  readonly isPackaged: boolean;
  readonly platform: NodeJS.Platform;
  /** Text of `app-update.yml`, which electron-builder packs if the build has a feed; else undefined. */
  readonly feed: string | undefined;
}

/**
 * `off`: there is no feed. `tell`: newer versions are reported. `install`: they can be installed, because the system or
 * electron-updater refuses packages with another signer than this app.
 */
export type UpdateMode = 'off' | 'tell' | 'install';

/**
 * Returns the mode. macOS compares signatures by itself. On Windows electron-updater does, by the publisher name that
 * electron-builder writes to the feed's file of a signed build; else it would install any package. Linux has no check.
 */
export function updateMode({ isPackaged, platform, feed }: UpdateFacts): UpdateMode {
  if (!isPackaged || feed === undefined) return 'off';
  const isChecked = platform === 'darwin' || (platform === 'win32' && /^publisherName:/m.test(feed));
  return isChecked ? 'install' : 'tell';
}

/** Whether an update may be fetched from the URL: over https, or from this machine. Redirects are checked, too. */
export function isUpdateUrl(url: string): boolean {
  const { protocol, hostname } = parsedUrl(url) ?? {};
  if (protocol === 'http:') return ['127.0.0.1', '[::1]', 'localhost'].includes(hostname ?? '');
  return protocol === 'https:';
}
