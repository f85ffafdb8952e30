import { resolve } from 'node:path';
import { containerRunOf, type ContainerRun } from '../../../../shared/container-run.ts';
import { PanelError } from '../../../../shared/error-codes.ts';
import { messageOf } from '../../../../shared/message-of.ts';
import { ownValue } from '../../../../shared/own-value.ts';
import type { SpawnRequest } from '../spawner.ts';

/** Body of `containers/create`, with the fields that the panel uses. */
export interface CreateBody {
  Image: string;
  Cmd?: readonly string[];
  Entrypoint?: readonly string[];
  WorkingDir?: string;
  User?: string;
  readonly Env: string[];
  readonly Labels: Record<string, string>;
  readonly Volumes: Record<string, object>;
  readonly OpenStdin: true;
  readonly StdinOnce: false;
  readonly HostConfig: {
    NetworkMode?: string;
    Memory?: number;
    NanoCpus?: number;
    ReadonlyRootfs?: boolean;
    readonly Init: true;
    readonly Binds: string[];
    readonly CapDrop: string[];
    readonly SecurityOpt: string[];
    readonly LogConfig: { readonly Type: 'json-file' };
  };
}

export interface ContainerSpec {
  readonly name?: string;
  readonly body: CreateBody;
  /** True if anonymous volumes are removed with the container, as `--rm` does. */
  readonly withVolumes: boolean;
}

/** Reads a file of this machine as text. @throws if it cannot be read */
type ReadText = (path: string) => Promise<string>;

const NANO = 1e9;
const UNITS: ReadonlyMap<string, number> = new Map(
  ['b', 'k', 'm', 'g', 't'].map((unit, at) => [unit, 1024 ** at]),
);

/**
 * Translates a command line of `docker run` to a request to another engine, which is usually on another machine. Env files are
 * read on this machine; all other paths refer to the engine's machine. The container gets an init process as its first process:
 * a stop begins with SIGTERM, which a server without a handler would ignore if it were the first process. The container's input
 * stays open after a disconnection, and its log can be read, so that no output is lost meanwhile. @throws PanelError
 * CONFIG_INVALID that names the refused option or value
 */
export async function containerSpecOf(
  { command, args, cwd = '/', env }: Pick<SpawnRequest, 'command' | 'args' | 'cwd' | 'env'>,
  readText: ReadText,
): Promise<ContainerSpec> {
  const run = containerRunOf(command, args);
  if (run === undefined) {
    throw new PanelError('CONFIG_INVALID', 'A server on another engine needs an image.', {
      remedy: 'Make its command "docker run … IMAGE", or remove "runOn".',
    });
  }
  const [clientOption] = run.clientOptions;
  if (clientOption !== undefined)
    throw refusedOption(clientOption, 'cannot be given, because "runOn" names the engine');
  const body = emptyBody(run);
  let name: string | undefined;
  let withVolumes = false;
  for (const { name: option, value = '' } of run.given) {
    if (option === '--name') name = value;
    else if (option === '--rm') withVolumes = value !== 'false';
    else if (option === '--env-file') {
      const path = resolve(cwd, value);
      for (const line of linesOf(await readText(path).catch((error: unknown) => unread(path, error))))
        addVariable(body, line, env);
    } else if (option === '-e' || option === '--env') addVariable(body, value, env);
    else (settingOf.get(option) ?? unknown(option))(body, value);
  }
  return { ...(name !== undefined && { name }), body, withVolumes };
}

function emptyBody({ image, serverWords }: ContainerRun): CreateBody {
  return {
    Image: image,
    ...(serverWords.length > 0 && { Cmd: serverWords }),
    Env: [],
    Labels: {},
    Volumes: {},
    OpenStdin: true,
    StdinOnce: false,
    HostConfig: { Init: true, Binds: [], CapDrop: [], SecurityOpt: [], LogConfig: { Type: 'json-file' } },
  };
}

type Setting = (body: CreateBody, value: string) => void;

const ignored: Setting = () => undefined;
const network: Setting = (body, value) => void (body.HostConfig.NetworkMode = value);
const volume: Setting = (body, value) => {
  if (!value.includes(':') && value.startsWith('/')) return define(body.Volumes, value, {});
  // If this holds, the value begins neither with a folder of the other machine nor with the name of a volume.
  if (!value.startsWith('/') && !/^[A-Za-z0-9][\w.-]+:\//.test(value))
    throw refusedOption(`-v ${value}`, 'needs a full path: it is a folder of the other machine');
  body.HostConfig.Binds.push(value);
};
const user: Setting = (body, value) => void (body.User = value);
const folder: Setting = (body, value) => void (body.WorkingDir = value);
const memory: Setting = (body, value) => void (body.HostConfig.Memory = bytesOf(value));
const label: Setting = (body, value) => {
  const [key = '', ...rest] = value.split('=');
  define(body.Labels, key, rest.join('='));
};

/** Sets a field of any name. An assignment would not create a field named `__proto__`. */
function define(object: object, name: string, value: unknown): void {
  Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
}

const settingOf: ReadonlyMap<string, Setting> = new Map<string, Setting>([
  ['-i', ignored],
  ['--interactive', ignored],
  ['--init', ignored],
  ['-v', volume],
  ['--volume', volume],
  ['--network', network],
  ['--net', network],
  ['--entrypoint', (body, value) => void (body.Entrypoint = [value])],
  ['-w', folder],
  ['--workdir', folder],
  ['-u', user],
  ['--user', user],
  ['-m', memory],
  ['--memory', memory],
  ['--cpus', (body, value) => void (body.HostConfig.NanoCpus = Math.round(numberOf('--cpus', value) * NANO))],
  ['-l', label],
  ['--label', label],
  ['--read-only', (body, value) => void (body.HostConfig.ReadonlyRootfs = value !== 'false')],
  ['--cap-drop', (body, value) => void body.HostConfig.CapDrop.push(value)],
  [
    '--security-opt',
    (body, value) => {
      if (value.startsWith('seccomp=') && value !== 'seccomp=unconfined')
        throw refusedOption(
          `--security-opt ${value}`,
          'names a file, which an engine elsewhere does not read',
        );
      body.HostConfig.SecurityOpt.push(value);
    },
  ],
]);

function unknown(option: string): never {
  throw refusedOption(option, 'is not one that the panel passes to an engine elsewhere');
}

function unread(path: string, error: unknown): never {
  throw refusedOption(`--env-file ${path}`, `cannot be read: ${messageOf(error)}`);
}

export function refusedOption(option: string, why: string): PanelError {
  return new PanelError('CONFIG_INVALID', `The option ${option} of "docker run" ${why}.`, {
    remedy: 'Correct the option or leave it out, or remove "runOn".',
  });
}

/** Adds the variable of `NAME=value`. `NAME` alone takes its value from the environment, and is left out if not set there. */
function addVariable(
  { Env: variables }: CreateBody,
  word: string,
  env: Readonly<Record<string, string>>,
): void {
  if (word.includes('=')) return void variables.push(word);
  const value = ownValue(env, word);
  if (value !== undefined) variables.push(`${word}=${value}`);
}

const linesOf = (text: string): readonly string[] =>
  text
    .split(/\r?\n/)
    .map((line) => line.trimStart())
    .filter((line) => line !== '' && !line.startsWith('#'));

/** Returns the number of bytes that a size such as `512m`, `1g` or `100` means. */
function bytesOf(value: string): number {
  const digits = value.toLowerCase().replace(/i?b$/, '');
  const factor = UNITS.get(digits.at(-1) ?? '');
  return Math.round(numberOf('--memory', factor ? digits.slice(0, -1) : digits) * (factor ?? 1));
}

function numberOf(option: string, value: string): number {
  const number = Number(value || Number.NaN);
  if (!Number.isFinite(number) || number < 0) throw refusedOption(`${option} ${value}`, 'needs a number');
  return number;
}
