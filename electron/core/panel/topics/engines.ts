import { access } from 'node:fs/promises';
import { PACKAGE_ENGINES, pathsIn, type PackageEngine } from '../../../../shared/container-entry.ts';
import type { CallAnswers } from '../../../../shared/ipc/call.ts';
import type { enginesCalls, EngineView } from '../../../../shared/ipc/topics/engines.ts';
import { messageOf } from '../../../../shared/message-of.ts';
import { workloadPlaceOf, type RunOn } from '../../../../shared/panel-settings.ts';
import type { ServerConfig } from '../../../../shared/server-config.ts';
import type { ImportMachine } from '../../config/import/machine-check.ts';
import type { ServersFile } from '../../config/servers-file.ts';
import { npxVersion, type InstallPlaces } from '../../consent/installed-version.ts';
import { dockerFolder, remoteContexts } from '../../platform/containers/engine-socket.ts';
import { programFinder } from '../../platform/find-program.ts';
import { programSearch } from '../../platform/program-search.ts';
import { CommandError, type RunCommand } from '../../platform/run-command.ts';

interface EnginesTopicOptions {
  readonly file: Pick<ServersFile, 'current'>;
  /** Returns the programs and environment variables of this machine. Never rejects. */
  readonly machine: () => Promise<ImportMachine>;
  readonly run: RunCommand;
  readonly parentEnvironment: InstallPlaces['environment'];
  readonly userHome: string;
}

/** Maximum milliseconds for a run of an engine's command-line client. The user waits, and with a hung engine it never ends. */
const PATIENCE_MS = 5000;
/** Arguments of the command that prints the version of the engine itself, not only that of its client. */
const VERSION_WORDS: Readonly<Record<PackageEngine, readonly string[]>> = {
  docker: ['version', '--format', '{{.Server.Version}}'],
  podman: ['info', '--format', '{{.Version.Version}}'],
};

interface Client extends Pick<EngineView, 'engine'> {
  readonly file: string;
  readonly env: ImportMachine['environment'];
}

const existing = (path: string) =>
  access(path).then(
    () => [path],
    () => [],
  );

/**
 * Requests of the app window about the container engines of this machine, and about what a server needs to run in a container.
 */
export function enginesTopic(options: EnginesTopicOptions) {
  const { file, machine, parentEnvironment: environment, run, userHome } = options;
  return {
    find: async () => (await clientsOn(machine)).map(({ engine }) => engine),
    ask: async () => Promise.all((await clientsOn(machine)).map((client) => lookAt(client, run))),
    /** Returns what a server needs to run in a container: its paths, package version and possible engines. */
    needs: async (name) => {
      const { servers } = file.current;
      const config = servers.find((server) => server.name === name);
      const places = await placesFor(servers, machine);
      if (config?.transport !== 'stdio') return { paths: [], places };
      const version = (await npxVersion(config, { environment, userHome }))?.version;
      const found = await Promise.all(pathsIn({ ...config }).map(existing));
      return { ...(version !== undefined && { version }), paths: found.flat(), places };
    },
  } satisfies CallAnswers<typeof enginesCalls>;
}

type Machine = EnginesTopicOptions['machine'];

async function placesFor(servers: readonly ServerConfig[], machine: Machine): Promise<RunOn[]> {
  const { environment } = await machine();
  const used = servers.flatMap(({ panel: { runOn } }) =>
    runOn === undefined || workloadPlaceOf(runOn) ? [] : runOn,
  );
  const contexts = await remoteContexts(dockerFolder(environment));
  const all = [...contexts.map((context) => ({ engine: 'docker' as const, context })), ...used];
  return [...new Map(all.map((place) => [JSON.stringify(place), place])).values()];
}

async function lookAt({ engine, file, env }: Client, run: RunCommand): Promise<EngineView> {
  const ask = async (...words: readonly string[]) =>
    (await run(file, words, { env, timeoutMs: PATIENCE_MS })).trim();
  try {
    const version = await ask(...VERSION_WORDS[engine]);
    // The size of the images is optional: a client may not support this command, and it may take too long with many images.
    const sizes = await ask('system', 'df', '--format', '{{.Type}}\t{{.Size}}').catch(() => '');
    const imagesSize = /^Images\t(.*)$/m.exec(sizes)?.[1];
    return { engine, version, ...(imagesSize !== undefined && { imagesSize }) };
  } catch (error) {
    // The last line of stderr is the reason; the lines before it repeat the command.
    const reason = messageOf(error).trim().split('\n').at(-1) ?? '';
    const isMute = error instanceof CommandError && error.exitCode === undefined;
    return { engine, problem: isMute ? `no answer within ${PATIENCE_MS / 1000} s` : reason };
  }
}

async function clientsOn(machine: Machine): Promise<Client[]> {
  const { environment: env, findProgram, platform = process.platform } = await machine();
  const clients = PACKAGE_ENGINES.map(async (engine): Promise<Client[]> => {
    const found = await (findProgram ?? programFinder(platform))(programSearch(engine, env, platform));
    return 'file' in found ? [{ engine, file: found.file, env }] : [];
  });
  return (await Promise.all(clients)).flat();
}
