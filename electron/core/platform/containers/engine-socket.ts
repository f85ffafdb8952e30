import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { clientOptionsIn } from '../../../../shared/container-run.ts';
import { ownValue } from '../../../../shared/own-value.ts';
import type { EngineClient } from './engine-client.ts';

/** Address at which an engine's API answers. */
type EngineSocket = { readonly socketPath: string } | { readonly host: string; readonly port: number };

/**
 * Finds the API of the engine that a client program reaches, by the client's own rules: options, environment, context, default.
 * Returns undefined if the engine cannot be reached with plain HTTP: it needs TLS or SSH, or runs in podman's virtual machine.
 * Never rejects.
 */
export async function findEngineSocket(
  client: EngineClient,
  platform: NodeJS.Platform = process.platform,
): Promise<EngineSocket | undefined> {
  const { engine, options, env } = client;
  if (engine === 'docker') return dockerSocket(options, env, platform);
  if (engine !== 'podman' || platform !== 'linux' || options.length > 0) return undefined;
  const folder = env['XDG_RUNTIME_DIR'];
  const isRoot = process.getuid?.() === 0;
  const byDefault = isRoot || !folder ? '/run/podman/podman.sock' : join(folder, 'podman/podman.sock');
  return env['CONTAINER_CONNECTION'] ? undefined : socketOf(env['CONTAINER_HOST'] ?? `unix://${byDefault}`);
}

async function dockerSocket(
  options: readonly string[],
  env: EngineClient['env'],
  platform: NodeJS.Platform,
): Promise<EngineSocket | undefined> {
  const given = clientOptionsIn(options);
  const valueOf = (...names: readonly string[]) => given.find(({ name }) => names.includes(name))?.value;
  const isOverTls = given.some(({ name }) => name.startsWith('--tls')) || Boolean(env['DOCKER_TLS_VERIFY']);
  if (isOverTls) return undefined;
  const named = valueOf('-H', '--host');
  if (named !== undefined) return socketOf(named);
  const folder = valueOf('--config') ?? dockerFolder(env);
  const chosen = valueOf('-c', '--context');
  if (chosen === undefined && env['DOCKER_HOST']) return socketOf(env['DOCKER_HOST']);
  const context =
    chosen ??
    (env['DOCKER_CONTEXT'] || textAt(await readSettings(join(folder, 'config.json')), 'currentContext'));
  return socketOf((await readContext(folder, context || DEFAULT_CONTEXT, platform)).host ?? '');
}

const DEFAULT_CONTEXT = 'default';

/** Settings folder of the docker client. */
export const dockerFolder = (env: EngineClient['env']): string =>
  env['DOCKER_CONFIG'] ?? join(env['HOME'] ?? env['USERPROFILE'] ?? '', '.docker');

/** Context of the docker client: the address of its engine, and the location of its TLS files. */
interface DockerContext {
  /** Address in the client's notation; undefined if there is no such context. */
  readonly host: string | undefined;
  readonly skipsVerification: boolean;
  /** Folder that may contain `ca.pem`, `cert.pem` and `key.pem`. */
  readonly tlsFolder: string;
}

/** Reads a context from the files of the docker client. Never rejects. */
export async function readContext(
  folder: string,
  name: string,
  platform: NodeJS.Platform = process.platform,
): Promise<DockerContext> {
  const hash = createHash('sha256').update(name).digest('hex');
  const meta = await readSettings(join(folder, 'contexts', 'meta', hash, 'meta.json'));
  const own = platform === 'win32' ? 'npipe:////./pipe/docker_engine' : 'unix:///var/run/docker.sock';
  return {
    host: name === DEFAULT_CONTEXT ? own : textAt(meta, 'Endpoints', 'docker', 'Host'),
    skipsVerification: partAt(meta, 'Endpoints', 'docker', 'SkipTLSVerify') === true,
    tlsFolder: join(folder, 'contexts', 'tls', hash, 'docker'),
  };
}

/** Names of the contexts that refer to another machine. Never rejects. */
export async function remoteContexts(folder: string): Promise<readonly string[]> {
  const meta = join(folder, 'contexts', 'meta');
  const names: string[] = [];
  for (const one of await readdir(meta).catch(() => [])) {
    const read = await readSettings(join(meta, one, 'meta.json'));
    const name = textAt(read, 'Name');
    const isRemote = /^(?:ssh|tcp):/.test(textAt(read, 'Endpoints', 'docker', 'Host') ?? '');
    if (name !== undefined && isRemote) names.push(name);
  }
  return names.toSorted();
}

/** Parses an address: `unix:///path`, `npipe:////./pipe/name` or `tcp://host:port`. */
export function socketOf(address: string): EngineSocket | undefined {
  const [scheme, rest = ''] = address.split('://', 2);
  if (scheme === 'unix') return { socketPath: rest };
  if (scheme === 'npipe') return { socketPath: rest.replaceAll('/', '\\') };
  const colon = rest.lastIndexOf(':');
  const port = Number.parseInt(rest.slice(colon + 1), 10);
  return scheme === 'tcp' && colon > 0 && port > 0 ? { host: rest.slice(0, colon), port } : undefined;
}

/** Parsed file; undefined if it cannot be read. Never rejects. */
export async function readSettings(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch {
    return undefined; // The docker client also continues without a settings file.
  }
}

function textAt(value: unknown, ...path: readonly string[]): string | undefined {
  const found = partAt(value, ...path);
  return typeof found === 'string' ? found : undefined;
}

/** Returns the value at a path of property names in parsed JSON; undefined if there is none. */
export function partAt(value: unknown, ...path: readonly string[]): unknown {
  let found = value;
  for (const key of path)
    found =
      typeof found === 'object' && found !== null
        ? ownValue(found as Record<string, unknown>, key)
        : undefined;
  return found;
}
