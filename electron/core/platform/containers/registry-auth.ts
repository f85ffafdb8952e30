import { parsedJson } from '../../../../shared/parsed.ts';
import { join } from 'node:path';
import { z } from 'zod';
import { readSettings, partAt } from './engine-socket.ts';

/** Name of an image as parameters of the engine's call `images/create`, and the registry that contains the image. */
interface ImageName {
  readonly query: string;
  /** Name under which the settings of the docker client list the registry. */
  readonly registry: string;
}

export interface AuthDeps {
  readonly folder: string;
  /** Asks the docker credential helper `program` for the user's credentials at a registry. @throws if the helper has none */
  readonly askHelper: (program: string, registry: string) => Promise<string>;
}

const DOCKER_HUB = 'https://index.docker.io/v1/';
const keptSchema = z.object({ Username: z.string(), Secret: z.string() });

/** Parses an image name as engines do: a first part with a dot or a port is a registry. A missing tag means `latest`. */
export function imageNameOf(image: string): ImageName {
  const [named = '', digest] = image.split('@', 2);
  const colon = named.lastIndexOf(':');
  const hasTag = colon > named.lastIndexOf('/');
  const name = hasTag ? named.slice(0, colon) : named;
  const tag = digest ?? (hasTag ? named.slice(colon + 1) : 'latest');
  const [first = '', ...rest] = name.split('/');
  const isRegistry = rest.length > 0 && (/[.:]/.test(first) || first === 'localhost');
  return {
    query: `fromImage=${encodeURIComponent(name)}&tag=${encodeURIComponent(tag)}`,
    registry: isRegistry && first !== 'docker.io' ? first : DOCKER_HUB,
  };
}

/**
 * Returns the header `X-Registry-Auth` with the user's credentials at a registry, as the docker client would send it; undefined
 * if the user has none. Never rejects: without credentials, the registry itself reports what it requires.
 */
export async function registryAuthOf(
  registry: string,
  { folder, askHelper }: AuthDeps,
): Promise<string | undefined> {
  const read = await readSettings(join(folder, 'config.json'));
  const helper = partAt(read, 'credHelpers', registry) ?? partAt(read, 'credsStore');
  const found =
    typeof helper === 'string' && /^[\w.-]+$/.test(helper)
      ? await askHelper(`docker-credential-${helper}`, registry).then(ofHelper, () => undefined)
      : ofSettings(partAt(read, 'auths', registry));
  return found && Buffer.from(JSON.stringify({ ...found, serveraddress: registry })).toString('base64url');
}

function ofHelper(answer: string): object | undefined {
  const kept = keptSchema.safeParse(parsedJson(answer));
  if (!kept.success) return undefined;
  const { Username: username, Secret: secret } = kept.data;
  return username === '<token>' ? { identitytoken: secret } : { username, password: secret };
}

function ofSettings(kept: unknown): object | undefined {
  const token = partAt(kept, 'identitytoken');
  if (typeof token === 'string' && token !== '') return { identitytoken: token };
  const auth = partAt(kept, 'auth');
  const [username = '', ...password] =
    typeof auth === 'string' ? Buffer.from(auth, 'base64').toString().split(':') : [];
  return username === '' ? undefined : { username, password: password.join(':') };
}
