import { autoUpdater } from 'electron-updater';
import { unseal } from '../app/lockdown.ts';
import { isUpdateUrl, type UpdateEngine } from './updates.ts';

/**
 * Creates electron-updater with all its automatic actions disabled. This module is imported when the user first asks for
 * updates, and only in builds with a feed, so the bundler puts it in a separate file.
 */
export function createUpdateEngine(): UpdateEngine {
  autoUpdater.logger = null;
  autoUpdater.autoDownload = false;
  autoUpdater.autoInstallOnAppQuit = false;
  autoUpdater.allowDowngrade = false;
  autoUpdater.disableWebInstaller = true;
  // By default, electron-updater would send an id that identifies this installation to the update feed with each request.
  autoUpdater.requestHeaders = { 'x-user-staging-id': '' };
  // Like every other session, the session of electron-updater may not make any requests (lockdown.ts). From here on, it may
  // make requests for updates, and no others.
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
      // The first `true` installs without showing the installer's pages, because the user answered them at the first
      // installation. The second one starts the app afterwards.
      autoUpdater.quitAndInstall(true, true);
    },
  };
}
