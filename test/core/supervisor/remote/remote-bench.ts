import { expect, onTestFinished } from 'vitest';
import { panelSettingsSchema } from '../../../../shared/panel-settings.ts';
import { PanelError } from '../../../../shared/error-codes.ts';
import type { RemoteServerConfig } from '../../../../shared/server-config.ts';
import { createDeferred } from '../../../../electron/core/deferred.ts';
import { systemClock } from '../../../../electron/core/platform/system-clock.ts';
import type { MalformedOutput } from '../../../../electron/core/mcp/malformed-output.ts';
import { createHttpClient } from '../../../../electron/core/supervisor/remote/http-client.ts';
import { RemoteRun, type RemoteRunDeps } from '../../../../electron/core/supervisor/remote/remote-run.ts';
import { TransportPreferences } from '../../../../electron/core/supervisor/remote/transport-preferences.ts';
import { readHere } from '../../long-message.ts';
import { serve, type Handler } from './test-server.ts';

export const STOPPED = new PanelError('STOPPED', 'the test is over');
export const GRACES = { stopGraceMs: 1000, killGraceMs: 1000 };

export interface RunBench {
  readonly run: RemoteRun;
  /** Resolves with the reason for which the run ended by itself. */
  readonly crashed: Promise<PanelError>;
  readonly crashes: PanelError[];
  readonly noise: MalformedOutput[];
  /** Sockets that the run has opened and not closed. */
  readonly openClients: () => number;
}

export type ConfigChanges = [panel?: Record<string, unknown>, changes?: Partial<RemoteServerConfig>];

export function remoteConfig(url: string, ...[panel = {}, changes]: ConfigChanges): RemoteServerConfig {
  return {
    name: 'remote',
    enabled: true,
    transport: 'http',
    url,
    headers: {},
    panel: panelSettingsSchema.parse(panel),
    ...changes,
  };
}

/** Dependencies of a run with the least backoff: 250 ms, then 500 ms. */
export function remoteDeps(changes: Partial<RemoteRunDeps> = {}): RemoteRunDeps {
  return {
    clock: systemClock,
    wallClock: systemClock,
    random: () => 0,
    reader: readHere,
    clientVersion: '0.0.0',
    ownHeaders: () => ({}),
    preferences: new TransportPreferences(systemClock),
    openHttp: createHttpClient,
    ...changes,
  };
}

/** Run with everything it reports recorded. It is killed after the test, which leaves no socket. */
export function runOf(
  config: RemoteServerConfig,
  deps: RemoteRunDeps = remoteDeps(),
  settings = () => config.panel,
): RunBench {
  const crash = createDeferred<PanelError>();
  const crashes: PanelError[] = [];
  const noise: MalformedOutput[] = [];
  let openClients = 0;
  const openHttp: RemoteRunDeps['openHttp'] = (options) => {
    const client = deps.openHttp(options);
    openClients += 1;
    let isOpen = true;
    return {
      fetch: client.fetch,
      close: () => {
        if (isOpen) openClients -= 1;
        isOpen = false;
        client.close();
      },
    };
  };
  const run = new RemoteRun({ ...deps, openHttp }, config, {
    settings,
    announce: () => Promise.resolve(() => undefined),
    onHosted: () => undefined,
    onStderr: () => undefined,
    stderrTail: () => '',
    onMalformed: (seen) => noise.push(seen),
    onConnection: () => undefined,
    onCrashed: (error) => {
      crashes.push(error);
      crash.resolve(error);
    },
  });
  onTestFinished(async () => {
    await run.kill(STOPPED);
    expect(openClients).toBe(0);
  });
  return { run, crashed: crash.promise, crashes, noise, openClients: () => openClients };
}

/** Run that is up. */
export async function launched(...made: Parameters<typeof runOf>): Promise<RunBench> {
  const bench = runOf(...made);
  await bench.run.launch();
  return bench;
}

/** Server that answers like this, and a run that is up on it. */
export async function over(handler: Handler, ...[panel, entry]: ConfigChanges) {
  const server = await serve(handler);
  return { server, bench: await launched(remoteConfig(server.url, panel, entry)) };
}
