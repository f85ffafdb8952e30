import { join } from 'node:path';
import { shell, utilityProcess } from 'electron';
import { version } from '../../../package.json';
import { consentMode } from '../../core/consent/consent-mode.ts';
import { openPanel, type OpenPanelOptions } from '../../core/panel/open-panel.ts';
import type { ControlPanel } from '../../core/panel/control-panel.ts';
import type { HelperProcess } from '../../core/platform/helper-process.ts';
import { isSafeAddress } from '../../core/sign-in/guarded-fetch.ts';
import { bridgeScript, doorkeeperStart } from './doorkeeper-start.ts';
import { isRelease } from './hardening.ts';

type CoreOptions = Pick<OpenPanelOptions, 'home' | 'asksQuestions' | 'parts' | 'startsAfter' | 'notice'>;

/** Opens the core with the functions that Electron provides for it. */
export function openCore(options: CoreOptions): Promise<ControlPanel> {
  return openPanel({
    ...options,
    appVersion: version,
    electronVersion: process.versions.electron,
    consent: consentMode(process.env, !isRelease()),
    storeWorker: join(import.meta.dirname, 'store-worker.cjs'),
    logsWorker: join(import.meta.dirname, 'logs-worker.cjs'),
    messageWorker: join(import.meta.dirname, 'message-worker.cjs'),
    startKeyringHelper: () => forkUtility(join(import.meta.dirname, 'keyring-helper.cjs')),
    // In an AppImage, the path of the bridge script is not passed on, because the AppImage is mounted at a different path at
    // each start.
    bridgeScript: process.env['APPIMAGE'] === undefined ? bridgeScript() : undefined,
    doorkeeper: doorkeeperStart(),
    ...(options.asksQuestions && { openBrowser: openInBrowser }),
  });
}

/** Runs one of the app's files in an Electron utility process: a packaged app cannot run as Node. Its output is dropped. */
function forkUtility(file: string): HelperProcess {
  const child = utilityProcess.fork(file, [], { stdio: 'ignore', serviceName: 'Keyring' });
  let isKilled = false;
  const kill = () => {
    isKilled = true;
    // A process whose thread is blocked would not read a message that asks it to exit.
    if (child.pid !== undefined) process.kill(child.pid, 'SIGKILL');
  };
  // The process has no pid before the event `spawn`. If `kill` was called before that, it is called again now.
  child.once('spawn', () => {
    if (isKilled) kill();
  });
  return {
    send: (message) => child.postMessage(message),
    onMessage: (listener) => void child.on('message', listener),
    onEnd: (listener) => void child.once('exit', (code) => listener(`its helper ended (${code})`)),
    kill,
  };
}

/** Opens a page in the user's browser: https, or http on this machine. Any other address is ignored. */
function openInBrowser(url: string): void {
  if (isSafeAddress(url)) void shell.openExternal(new URL(url).href).catch(() => undefined);
}
