import { app } from 'electron';
import { readFlavour } from './flavour.ts';

/** Command-line switches that give other programs access to the pages or the process; a release does not need them. */
const debuggingSwitches = [
  'remote-debugging-port',
  'remote-debugging-pipe',
  'remote-debugging-address',
  'remote-allow-origins',
  'inspect',
  'inspect-brk',
  'inspect-port',
  'js-flags',
  'load-extension',
  'disable-web-security',
  'allow-running-insecure-content',
  'ignore-certificate-errors',
  'renderer-cmd-prefix',
  'utility-cmd-prefix',
  'gpu-launcher',
];

/** Whether this is a packaged app that cannot be controlled from outside. */
export const isRelease = (): boolean => app.isPackaged && readFlavour(app.getAppPath()) === 'release';

/** Sandboxes every renderer process; a release also removes the debugging switches. Must run before Electron's event `ready`. */
export function hardenProcess(): void {
  // With --no-sandbox, which only root needs, this call would cause an endless crash loop.
  if (!app.commandLine.hasSwitch('no-sandbox')) app.enableSandbox();
  if (!isRelease()) return;
  for (const name of debuggingSwitches) app.commandLine.removeSwitch(name);
}
