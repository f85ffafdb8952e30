import { foreignPrograms } from '../../../electron/core/config/programs/programs.ts';
import type { StartedServer } from '../../../electron/core/config/moving/copies/running-copies.ts';
import { createLinuxScan } from '../../../electron/core/left-behind/linux-scan.ts';
import { runCommand } from '../../../electron/core/platform/run-command.ts';
import { signallerForPlatform } from '../../../electron/core/platform/signals.ts';

/** The scan of this machine, by the entries that are known then. */
export const scanHere = (servers: () => readonly StartedServer[] = () => []) =>
  createLinuxScan({
    ownPid: process.pid,
    run: runCommand,
    signaller: signallerForPlatform(process.platform),
    clients: foreignPrograms,
    servers: () => Promise.resolve(servers()),
  });
