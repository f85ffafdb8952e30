import { app } from 'electron';
import { readFlavour } from './flavour.ts';

/** Switches that open the pages or the process to others. A release has no use for them. */
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

/** Sandboxes every renderer and drops what could open it again. Before `ready`. */
export function hardenProcess(): void {
  // Together with --no-sandbox, which only root needs, this call makes an endless crash loop.
  if (!app.commandLine.hasSwitch('no-sandbox')) app.enableSandbox();
  if (!app.isPackaged || readFlavour(app.getAppPath()) === 'test') return;
  for (const name of debuggingSwitches) app.commandLine.removeSwitch(name);
}
