import type { ConfigStatus } from '../../../shared/domain.ts';
import { secretsIn } from '../secrets/resolve-config.ts';
import type { SecretsChange } from '../secrets/secret-store.ts';
import type { ServerSupervisor } from '../supervisor/server-supervisor.ts';
import type { OpenedFiles } from './open-files.ts';
import type { PanelBase } from './panel-base.ts';
import type { PushHub } from './push-hub.ts';
import { SecretsTopic } from './topics/secrets.ts';
import type { ServersParts } from './wire-servers.ts';

/** Returns the state of the secret store for the configuration status; an empty object if there is no store. */
export function secretStoreStatus({ secrets }: OpenedFiles): Pick<ConfigStatus, 'secretStore'> {
  const { state, keyKind } = secrets.state;
  return state === 'none' ? {} : { secretStore: { state, ...(keyKind && { keyKind }) } };
}

/** Connects the secret store with the servers: when a secret changes, the servers that use it are started or restarted. */
export function wireSecrets(
  { files }: PanelBase,
  { resolver, fleet, sessions }: Pick<ServersParts, 'resolver' | 'fleet' | 'sessions'>,
  hub: PushHub,
): SecretsTopic {
  const { secrets: store, secretNotes: notes, servers: file } = files;
  const startWaiting = (server: ServerSupervisor | undefined) => {
    if (server && lacksSecret(server)) server.start('configuration').catch(() => undefined);
  };
  const restart = (server: ServerSupervisor) => {
    server.restart().catch(() => undefined);
    void sessions.endFurther(server.name);
  };
  store.onChanged(({ names, isOpened }: SecretsChange) => {
    hub.configChanged();
    const changed = names.filter((name) => store.get(name) !== undefined);
    for (const server of fleet.supervisors) {
      const used = secretsIn(server.config);
      if (!changed.some((name) => used.has(name))) continue;
      // When the store has just been unlocked, only servers that failed because of a missing secret are started. A start that
      // is already waiting for the store continues by itself.
      if (isOpened || lacksSecret(server)) startWaiting(server);
      else if (RUNS.has(server.stateKind)) restart(server);
    }
  });
  return new SecretsTopic({
    ...{ store, notes, resolver, file, settings: files.settings },
    startWaiting: (name) => startWaiting(fleet.find(name)),
  });
}

const RUNS: ReadonlySet<string> = new Set<ServerSupervisor['stateKind']>(['starting', 'running', 'suspect']);

const lacksSecret = (server: ServerSupervisor): boolean =>
  server.stateKind === 'failed' && server.view().lastError?.code === 'SECRET_MISSING';
