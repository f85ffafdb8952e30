import { stat } from 'node:fs/promises';
import {
  ownContainerRunOf,
  type ContainerEngine,
  type ContainerRun,
} from '../../../../shared/container-run.ts';
import { messageOf } from '../../../../shared/message-of.ts';
import { RUN_MARKER_NAME } from '../../platform/child-environment.ts';
import {
  inspectByApi,
  inspectContainer,
  removeContainers,
  type ContainerFilter,
  type EngineClient,
  type EngineClientDeps,
  listContainers,
} from '../../platform/containers/engine-client.ts';
import type { ContainerFigures } from '../../platform/containers/container-reading.ts';
import { type EngineLink, LastEngines } from '../../platform/containers/engine-link.ts';
import type { LocalEngines } from '../../platform/containers/local-engines.ts';
import type { FoundContainer, OpenFigures } from '../../platform/containers/open-figures.ts';
import type { SpawnRequest } from '../../platform/spawner.ts';
import { holdsWithin } from '../../wait.ts';
import { homeLabelOf } from '../../platform/containers/engine-labels.ts';
import {
  containerFiles,
  findContainerRecords,
  readContainerId,
  removeContainerFiles,
  writeContainerRecord,
  type ContainerRecord,
} from './container-record.ts';

interface ContainerCustodyOptions extends EngineClientDeps {
  /** Folder of the container records, `<home>/containers`, with a folder per server. */
  readonly folder: string;
  /** Returns a new token of letters and digits at each call. */
  readonly createToken: () => string;
  /** Environment of this panel process. It completes the stored variables when containers of an earlier panel are removed. */
  readonly parentEnvironment: Readonly<Record<string, string | undefined>>;
  readonly openFigures: OpenFigures;
  readonly home: string;
  readonly engines: Pick<LocalEngines, 'close' | 'linkTo'>;
}

export interface ContainerClaim {
  /** Request to use for the spawn instead of the original one, so that the container can be found later. */
  readonly request: SpawnRequest;
  readonly engine: ContainerEngine;
  readonly onDeath: string;
  /** Finds the container and its state; undefined while the engine has none. @throws if the engine does not report it */
  find(): Promise<FoundContainer | undefined>;
  /** Starts reading the memory and CPU figures of the container found by `find`; undefined if unavailable. Never rejects. */
  openFigures(container: FoundContainer): Promise<ContainerFigures | undefined>;
  /** Connection to the engine that runs the container; undefined if the engine is not monitored. */
  readonly link: EngineLink | undefined;
  /**
   * Image that the panel may pull before the start, because the engine client would pull the same image in the same way;
   * undefined if the client might pull differently.
   */
  readonly pulls: string | undefined;
  /** Releases the claim if nothing was spawned. */
  drop(): Promise<void>;
  /**
   * Ends and removes the container once its engine client (`docker`, `podman`) has ended. Idempotent, never rejects.
   * @returns the reason why the container may remain, in a sentence; the next start of the server or the panel tries again. Undefined
   * once the container is gone
   */
  end(): Promise<string | undefined>;
}

/** Containers of one server that an earlier panel process left running. */
interface ContainerReport {
  readonly server: string;
  readonly engine: ContainerEngine;
  readonly ids: readonly string[];
}

const LABEL = 'mcp-control-panel.run';
/** Milliseconds that an engine gets to finish creating a container after its client (`docker run`) was killed. */
const CREATION_MS = 3000;
const POLL_MS = 500;
/** Environment variables that specify the address of an engine. None contains a secret. */
const ENGINE_VARIABLES =
  /^(?:DOCKER_(?:HOST|CONTEXT|CONFIG|TLS|TLS_VERIFY|CERT_PATH|API_VERSION)|CONTAINER_(?:HOST|CONNECTION|SSHKEY)|CONTAINERS_(?:CONF|STORAGE_CONF)|CONTAINERD_(?:ADDRESS|NAMESPACE)|NERDCTL_TOML|XDG_RUNTIME_DIR|HOME)$/;
/**
 * Path of an engine client that is installed as a snap. Such a client may not write into hidden folders and thus no id file, so
 * its container is found only by its label.
 */
const SNAP = /(?:^|\/)snap\/bin\//;

/**
 * Ensures that containers end with their runs. An engine runs containers as its own processes, which signals to the server's
 * process tree do not reach. A container has a record and an id file from before its start until the engine no longer lists it.
 */
export class ContainerCustody {
  readonly #options: ContainerCustodyOptions;
  readonly #claimed = new Set<string>();
  /** Containers that may remain because their engine did not answer, mostly because it was restarted. */
  readonly #left = new Map<ContainerRecord, EngineClient>();
  readonly lastEngines = new LastEngines();

  constructor(options: ContainerCustodyOptions) {
    this.#options = options;
  }

  close(): void {
    this.#options.engines.close();
  }

  /**
   * Prepares the removal of the container that this request will start. Returns undefined if the request starts no container,
   * or one that the panel does not remove: a detached one, or one with its own id file.
   */
  async claim(server: string, request: SpawnRequest): Promise<ContainerClaim | undefined> {
    const { command, args, found, cwd } = request;
    const run = ownContainerRunOf(command, args);
    if (run === undefined || (found !== undefined && 'code' in found)) return undefined;
    await this.#endLeft(server);
    const env = { ...request.env, [RUN_MARKER_NAME]: undefined };
    const { engine, clientOptions: options } = run;
    const client: EngineClient = { engine, file: found?.file ?? command, options, env, cwd };
    const record = recordOf(server, client, this.#options.createToken(), run.options.has('--rm'));
    const files = containerFiles(this.#options.folder, server, record.token);
    try {
      await writeContainerRecord(files, record);
    } catch {
      return undefined; // The client refuses to start if the folder for the id file is missing. That would be worse than a container that may remain.
    }
    this.#claimed.add(record.token);
    // The client of podman needs no service, so it does not matter if the service is lost or returns.
    const link = engine === 'docker' ? await this.#options.engines.linkTo(client) : undefined;
    if (link) this.lastEngines.ran(server, link);
    const use = link?.use();
    const hasIdFile = !SNAP.test(client.file);
    const added = [...(hasIdFile ? ['--cidfile', files.idPath] : []), '--label', labelOf(record)];
    added.push('--label', homeLabelOf(this.#options.home));
    let ending: Promise<string | undefined> | undefined;
    const { engines, openFigures } = this.#options;
    return {
      // `--rm=false` keeps the container after it has ended, because only then does the engine report why it ended. It is added
      // as the last option, because the last one of repeated options counts.
      request: {
        ...request,
        args: args.toSpliced(run.optionsEnd, 0, '--rm=false').toSpliced(run.optionsAt, 0, ...added),
      },
      engine,
      onDeath: removalLine(record, files.idPath, request.env['PATH']),
      find: () => this.#find(record, client, link),
      openFigures: (container) => openFigures(container, () => engines.linkTo(client)).catch(() => undefined),
      link,
      pulls: pullsAlike(run, request.env) ? run.image : undefined,
      drop: () => {
        use?.dispose();
        return removeContainerFiles(files);
      },
      end: () => (ending ??= this.#end(record, client).finally(() => use?.dispose())),
    };
  }

  /** Removes the containers that ended panel processes left. Must be awaited before the first server starts. Never rejects. */
  async reap(onProblem: (message: string) => void): Promise<readonly ContainerReport[]> {
    const reports: ContainerReport[] = [];
    const unreached = new Set<string>();
    for (const record of await findContainerRecords(this.#options.folder)) {
      if (this.#claimed.has(record.token)) continue;
      const { server, client } = record;
      const engine = JSON.stringify(client);
      // An engine that could not be reached is not tried again. Each further record of it would wait as long, and delay the
      // start of the servers.
      if (unreached.has(engine)) continue;
      try {
        const ids = await this.#remove(record, await this.#clientOf(record));
        if (ids.length > 0) reports.push({ server, engine: client.engine, ids });
      } catch (error) {
        unreached.add(engine);
        onProblem(
          `${server}: a container that an earlier panel left could not be removed: ${messageOf(error)}`,
        );
      }
    }
    return reports;
  }

  async #find(
    record: ContainerRecord,
    client: EngineClient,
    link: EngineLink | undefined,
  ): Promise<FoundContainer | undefined> {
    const { idPath } = containerFiles(this.#options.folder, record.server, record.token);
    const written = await readContainerId(idPath);
    const isNamed = typeof written === 'object';
    const [id] = isNamed
      ? [written.id]
      : SNAP.test(client.file)
        ? await listContainers(this.#options, client, { label: labelOf(record) })
        : [];
    if (id === undefined) return undefined;
    // The engine's API is tried first, because that needs no process; the fallback starts an engine client.
    const told = await inspectByApi(link?.api, id);
    const state = told ?? (await inspectContainer(this.#options, client, id));
    return state && { id, state };
  }

  /** Ends containers that earlier runs of the server left, before a new container needs the same name. */
  async #endLeft(server: string): Promise<void> {
    for (const [record, client] of [...this.#left]) {
      if (record.server !== server) continue;
      this.#left.delete(record);
      await this.#end(record, client);
    }
  }

  async #end(record: ContainerRecord, client: EngineClient): Promise<string | undefined> {
    try {
      await this.#remove(record, client);
      return undefined;
    } catch (error) {
      this.#left.set(record, client);
      return `its container could not be removed, its next start tries again: ${messageOf(error)}`;
    }
  }

  /** Removes a record's container. @returns ids of the containers found @throws if one may remain; then its files are kept */
  async #remove(record: ContainerRecord, client: EngineClient): Promise<readonly string[]> {
    const files = containerFiles(this.#options.folder, record.server, record.token);
    const written = await readContainerId(files.idPath);
    const remove = async (filter: ContainerFilter) => {
      const { ids, isGone } = await removeContainers(this.#options, client, filter, record);
      if (!isGone) throw new Error(`${client.engine} did not remove ${ids.map(shortId).join(', ')}`);
      return ids;
    };
    const byLabel = () => remove({ label: labelOf(record) });
    let ids: readonly string[] = [];
    if (typeof written === 'object') ids = await remove(written);
    else if (written === 'begun')
      await holdsWithin(this.#options.clock, async () => (ids = await byLabel()).length > 0, {
        limitMs: CREATION_MS,
        intervalMs: POLL_MS,
      });
    // An engine client that wrote no id file failed early, usually because no engine is running. An error of this search is
    // therefore ignored, except for a snap, which never writes an id file.
    else
      ids = await byLabel().catch((error: unknown) => {
        if (SNAP.test(client.file)) throw error;
        return [];
      });
    await removeContainerFiles(files);
    return ids;
  }

  async #clientOf({ client }: ContainerRecord): Promise<EngineClient> {
    const { cwd, env } = client;
    const isThere = cwd !== undefined && (await stat(cwd).catch(() => undefined))?.isDirectory();
    return { ...client, cwd: isThere ? cwd : undefined, env: { ...this.#options.parentEnvironment, ...env } };
  }
}

/**
 * True if it makes no difference whether the panel or the engine client pulls the image: the options set no pull policy and no
 * platform, and no signature is required.
 */
const pullsAlike = ({ options }: ContainerRun, env: SpawnRequest['env']): boolean =>
  !options.has('--pull') && !options.has('--platform') && (env['DOCKER_CONTENT_TRUST'] ?? '') === '';

export const shortId = (id: string): string => id.slice(0, 12);

const labelOf = ({ token }: ContainerRecord): string => `${LABEL}=${token}`;

/** Returns an sh command line that removes the container if its client has written the id file. It runs if the panel dies. */
function removalLine({ client, withVolumes }: ContainerRecord, idPath: string, path = ''): string {
  const { engine, file, options, cwd = '/', env } = client;
  const variables = Object.entries({ PATH: path, ...env }).map(([name, value]) => quoted(`${name}=${value}`));
  const call = ['env', ...variables, quoted(file), ...options.map(quoted)].join(' ');
  const removal = `${call} rm --force ${withVolumes ? '--volumes ' : ''}"$id"`;
  const kill = engine === 'podman' ? `${call} kill "$id"; ` : '';
  return `read -r id < ${quoted(idPath)} || [ -n "$id" ] && cd ${quoted(cwd)} && { ${kill}${removal}; }`;
}

const quoted = (word: string): string => `'${word.replaceAll("'", String.raw`'\''`)}'`;

function recordOf(
  server: string,
  { engine, file, options, env, cwd }: EngineClient,
  token: string,
  withVolumes: boolean,
): ContainerRecord {
  const kept = Object.entries(env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && ENGINE_VARIABLES.test(entry[0]),
  );
  const place = cwd === undefined ? {} : { cwd };
  const client = { engine, file, options: [...options], env: Object.fromEntries(kept), ...place };
  return { version: 1, server, token, withVolumes, client };
}
