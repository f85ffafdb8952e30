import { autoUpdater } from 'electron-updater';
import { unseal } from '../app/network-seal.ts';
import { isUpdateUrl } from './update-mode.ts';
import type { UpdateEngine } from './updates.ts';

/**
 * electron-updater with everything switched off that it does by itself. Imported when a person first asks, and only
 * where the build has a feed: the bundler keeps it in a file of its own.
 */
export function createUpdateEngine(): UpdateEngine {
  autoUpdater.logger = null;
  autoUpdater.autoDownload = false;
  autoUpdater.autoInstallOnAppQuit = false;
  autoUpdater.allowDowngrade = false;
  autoUpdater.disableWebInstaller = true;
  // It would name this installation to the feed, the same way each time.
  autoUpdater.requestHeaders = { 'x-user-staging-id': '' };
  // This session of its own is locked like every other (lockdown.ts); from here on it may do this one thing.
  autoUpdater.netSession.webRequest.onBeforeRequest(({ url }, answer) =>
    answer({ cancel: !isUpdateUrl(url) }),
  );
  return {
    check: async () => {
      await unseal(autoUpdater.netSession);
      const result = await autoUpdater.checkForUpdates();
      if (result === null) throw new Error('this kind of package cannot ask for newer versions');
      return result.isUpdateAvailable ? result.updateInfo.version : undefined;
    },
    download: async () => void (await autoUpdater.downloadUpdate()),
    install: (onFailure) => {
      autoUpdater.once('error', onFailure);
      // The installer shows no pages, because they were answered once, and starts the app afterwards.
      autoUpdater.quitAndInstall(true, true);
    },
  };
}
