import { homedir } from 'node:os';
import { captureLoginPath } from '../../../../electron/core/platform/login-shell.ts';
import { OwnedProcess } from '../../../../electron/core/platform/owned-process.ts';
import { processTableForPlatform } from '../../../../electron/core/platform/process-system.ts';
import { signallerForPlatform } from '../../../../electron/core/platform/signals.ts';
import { spawnChild } from '../../../../electron/core/platform/spawner.ts';
import { systemClock } from '../../../../electron/core/platform/system-clock.ts';
import { spawnRequestOf } from '../../../../electron/core/supervisor/run/spawn-request.ts';
import { panelSettingsSchema } from '../../../../shared/panel-settings.ts';

/** Spawns `argv[2]` as a panel that was started here spawns a server, and prints what it prints. */
const deps = {
  table: processTableForPlatform(),
  signaller: signallerForPlatform(process.platform),
  spawner: spawnChild,
  clock: systemClock,
};
const [, , command = '', ...args] = process.argv;
const home = homedir();
const login = await captureLoginPath({
  ...deps,
  platform: process.platform,
  parent: process.env,
  home,
  createMarker: () => `host${process.pid}${Math.random().toString(36).slice(2)}`,
});
const panel = panelSettingsSchema.parse({});
const config = { name: 'x', enabled: true, transport: 'stdio', command, args, env: {}, panel } as const;
const request = await spawnRequestOf(config, { parent: process.env, home, login }, 'the-marker');
const owned = await OwnedProcess.spawn(deps, request, 'the-marker');
owned.readStdout({ onPart: (part) => void process.stdout.write(part) });
owned.readStderr({ onPart: (part) => void process.stderr.write(part) });
await owned.drained;
