import { autoUpdater } from 'electron-updater';
import { unseal } from '../app/lockdown.ts';
import { isUpdateUrl, type UpdateEngine } from './updates.ts';

/**
 * electron-updater with all its automatic actions disabled. Imported when the user first asks, and only in builds with a feed,
 * so the bundler puts it in a file of its own.
 */
export function createUpdateEngine(): UpdateEngine {
  autoUpdater.logger = null;
  autoUpdater.autoDownload = false;
  autoUpdater.autoInstallOnAppQuit = false;
  autoUpdater.allowDowngrade = false;
  autoUpdater.disableWebInstaller = true;
  // The default id would identify this installation to the feed at each request.
  autoUpdater.requestHeaders = { 'x-user-staging-id': '' };
  // This session is locked like every other (lockdown.ts); from now on it may fetch updates only.
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
      // Installs without pages, because they were answered before, and starts the app afterwards.
      autoUpdater.quitAndInstall(true, true);
    },
  };
}
