import type { ServerConfig } from '../../../shared/server-config.ts';
import { thisMachine } from '../config/import/this-machine.ts';
import { secretsIn } from '../secrets/resolve-config.ts';
import { SecretResolver } from '../secrets/secret-resolver.ts';
import type { SecretsChange } from '../secrets/secret-store.ts';
import type { Fleet } from '../supervisor/fleet.ts';
import type { ServerSupervisor } from '../supervisor/server-supervisor.ts';
import type { OpenedFiles } from './open-files.ts';
import type { ControlPanelOptions } from './panel-options.ts';
import { SecretsTopic } from './topics/secrets.ts';

/** Builds what replaces references at a start. @param isOldAgreement as `SecretResolverOptions` */
export function createResolver(
  { clock, home: folder, loginPath, parentEnvironment: parent, userHome, wallClock }: ControlPanelOptions,
  { journal, secrets: store, secretNotes: notes }: OpenedFiles,
  isOldAgreement: (config: ServerConfig) => boolean = () => false,
): SecretResolver {
  return new SecretResolver({
    ...{ store, notes, wallClock, isOldAgreement },
    environment: async () => (await thisMachine({ parent, loginPath, clock, userHome, folder })).environment,
    declare: (values) => journal.setDeclared(values),
  });
}

export interface SecretsDeps {
  readonly files: OpenedFiles;
  readonly resolver: SecretResolver;
  readonly fleet: Fleet;
  /** Restarts a server with all its processes. */
  readonly restart: (server: string) => Promise<void>;
  /** Called when the state of the store may have changed. */
  readonly onState: () => void;
}

/** Connects the store of secrets with the servers that use it. */
export function wireSecrets({ files, resolver, fleet, restart, onState }: SecretsDeps): SecretsTopic {
  const { secrets: store, secretNotes: notes, servers: file } = files;
  const startWaiting = (server: ServerSupervisor | undefined) => {
    if (server && lacksSecret(server)) server.start('configuration').catch(() => undefined);
  };
  store.onChanged(({ names, isOpened }: SecretsChange) => {
    onState();
    const changed = names.filter((name) => store.get(name) !== undefined);
    for (const server of fleet.supervisors) {
      const used = secretsIn(server.config);
      if (!changed.some((name) => used.has(name))) continue;
      startWaiting(server);
      // A start that waited for the store goes on by itself.
      if (!isOpened && RUNS.has(server.stateKind)) restart(server.name).catch(() => undefined);
    }
  });
  return new SecretsTopic({
    ...{ store, notes, resolver, file },
    startWaiting: (name) => startWaiting(fleet.find(name)),
  });
}

const RUNS: ReadonlySet<string> = new Set<ServerSupervisor['stateKind']>(['starting', 'running', 'suspect']);

const lacksSecret = (server: ServerSupervisor): boolean =>
  server.stateKind === 'failed' && server.view().lastError?.code === 'SECRET_MISSING';
