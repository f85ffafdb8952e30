import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { PanelError } from '../../../../shared/error-codes.ts';
import type { Clock, Disposable } from '../../clock.ts';
import {
  EngineRefusal,
  type EngineAnswer,
  type EngineApi,
  parsedJson,
} from '../../platform/containers/engine-api.ts';
import { containerStateOf } from '../../platform/containers/engine-client.ts';
import { dockerFolder } from '../../platform/containers/engine-socket.ts';
import { EngineStats } from '../../platform/containers/engine-stats.ts';
import { ContainerOutputs } from '../../platform/elsewhere/container-lines.ts';
import type { ContainerSpec } from '../../platform/elsewhere/container-spec.ts';
import type { Box, BoxOwner, BoxState, Engine } from '../../platform/elsewhere/engine.ts';
import type { EngineLink } from '../../platform/containers/engine-link.ts';
import { HOME_LABEL, RUN_LABEL, SERVER_LABEL } from '../../platform/containers/engine-labels.ts';
import type { HostedStart } from '../../platform/hosted-run.ts';
import type { Spawner, SpawnRequest } from '../../platform/spawner.ts';
import { asSentence } from '../../phrases.ts';
import { imageFailure } from '../diagnosis/container-failure.ts';
import { holdsWithin } from '../../wait.ts';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { imageNameOf, registryAuthOf, type AuthDeps } from '../../platform/containers/registry-auth.ts';
import { ImagePull } from '../start/image-pull.ts';

const listSchema = z.array(z.object({ Id: z.string(), State: z.string() }));
const createdSchema = z.object({ Id: z.string() });

export interface DockerEngineOptions {
  readonly link: EngineLink;
  readonly clock: Clock;
  /** Value of the label that tells the containers of this panel from those of others. */
  readonly home: string;
  readonly spawner: Spawner;
  /** Folder of the user, in which helpers of the docker client and `ssh` run. */
  readonly userHome: string;
  /** Environment of the user, in which the docker client and `ssh` would run. */
  readonly environment: () => Readonly<Record<string, string>>;
}

type PullingStart = Pick<HostedStart, 'request' | 'onPulling'>;

export class DockerEngine implements Engine {
  readonly kind = 'container';
  readonly link: EngineLink;
  readonly remedy = `Check that "docker ps" works there, with the same "context" or "host" as "runOn".`;
  readonly #api: EngineApi;
  readonly #options: DockerEngineOptions;

  constructor(options: DockerEngineOptions) {
    this.link = options.link;
    this.#api = options.link.api;
    this.#options = options;
  }

  async create({ name, body }: ContainerSpec, owner: BoxOwner, start: PullingStart) {
    const { server, token } = owner;
    const { home } = this.#options;
    const labels = { ...body.Labels, [HOME_LABEL]: home, [RUN_LABEL]: token, [SERVER_LABEL]: server };
    const query = name === undefined ? '' : `?name=${encodeURIComponent(name)}`;
    const create = () =>
      this.#api.ask('POST', `/containers/create${query}`, { body: { ...body, Labels: labels } });
    let created = await create();
    if (isMissingImage(created)) {
      await this.#pull(body.Image, start);
      created = await create();
    }
    if (created.status !== 201) throw refusal(this.link.name, created);
    const { Id: id } = createdSchema.parse(created.body);
    const outputs = new ContainerOutputs(this.#api, id, '');
    const line = await outputs.attach();
    const started = await this.#api.ask('POST', `/containers/${id}/start`);
    if (started.status === 204) return { box: this.#box(id, outputs, owner), line };
    line.close();
    await this.remove(id, owner);
    throw refusal(this.link.name, started);
  }

  async find({ token }: BoxOwner) {
    const filters = { label: [`${HOME_LABEL}=${this.#options.home}`, `${RUN_LABEL}=${token}`] };
    const { status, body, words } = await this.#api.ask(
      'GET',
      `/containers/json?all=1&filters=${encodeURIComponent(JSON.stringify(filters))}`,
    );
    if (status !== 200) throw new Error(words);
    return listSchema
      .parse(body)
      .map(({ Id: id, State }) => ({ id, isLive: State === 'running' || State === 'paused' }));
  }

  async adopt(id: string, owner: BoxOwner): Promise<Box> {
    const { atS } = await this.#api.ask('GET', '/_ping');
    const from = new Date(atS * 1000).toISOString();
    return this.#box(id, new ContainerOutputs(this.#api, id, from), owner);
  }

  remove(id: string, { withVolumes }: BoxOwner): Promise<void> {
    return removeContainer(this.#api, this.#options.clock, id, withVolumes);
  }

  /** Pulls with the user's sign-in at the registry. @throws PanelError START_FAILED with the words of the registry */
  async #pull(
    image: string,
    { request: { signal }, onPulling = () => undefined }: PullingStart,
  ): Promise<void> {
    const { clock, environment, spawner, userHome: cwd } = this.#options;
    const env = environment();
    const askHelper = (program: string, registry: string) =>
      askProgram(spawner, program, registry, { env, cwd });
    const folder = dockerFolder(env);
    try {
      await pullImage({ api: this.#api, clock, image, signal, onPulling, askHelper, folder });
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof EngineRefusal) throw pullFailure(this.link.name, image, error.message);
      throw error;
    }
  }

  #box(id: string, outputs: ContainerOutputs, owner: BoxOwner): Box {
    const api = this.#api;
    return {
      id,
      outputs,
      attach: () => outputs.attachAgain(),
      look: async () => stateOf(await api.ask('GET', `/containers/${id}/json`)),
      stop: (graceS, limitMs) => api.ask('POST', `/containers/${id}/stop?t=${graceS}`, { limitMs }),
      remove: () => this.remove(id, owner),
      openFigures: () => new EngineStats(this.link, id, this.#options.clock),
    };
  }
}

function stateOf({ status, body }: EngineAnswer): BoxState | undefined {
  // One that is gone was removed by force.
  if (status === 404) return { kind: 'ended', end: { signal: 'SIGKILL' } };
  const state = containerStateOf(body);
  if (state === undefined) return undefined;
  const { exitCode, isOutOfMemory, isRunning, memoryLimitBytes } = state;
  const limit = { ...(memoryLimitBytes !== undefined && { memoryLimitBytes }) };
  if (isRunning) return { kind: 'running', ...limit };
  const memory = { ...(memoryLimitBytes !== undefined && { limitBytes: memoryLimitBytes }) };
  return { kind: 'ended', end: { exitCode, ...(isOutOfMemory && { outOfMemory: memory }) }, ...limit };
}

const isMissingImage = ({ status, words }: EngineAnswer): boolean =>
  status === 404 && words.includes('No such image');

const refusal = (engine: string, { words }: EngineAnswer): PanelError =>
  new PanelError('START_FAILED', `The engine ${engine} refused the container: ${words}`);

function pullFailure(engine: string, image: string, words: string): PanelError {
  const { headline, remedy } = imageFailure(image, `on ${engine}`, words);
  return new PanelError('START_FAILED', asSentence(headline), {
    remedy: remedy.words,
    data: { fix: remedy.fix },
    short: { phrase: headline },
  });
}

/** Runs a program with a line as its input, and returns its output. @throws if it fails */
async function askProgram(
  spawner: Spawner,
  command: string,
  line: string,
  { env, cwd }: Pick<SpawnRequest, 'env' | 'cwd'>,
): Promise<string> {
  const child = await spawner({ command, args: ['get'], env, cwd, isHome: true });
  child.stderr.resume();
  child.stdin.on('error', () => undefined).end(line);
  const output = text(child.stdout);
  const { exitCode } = await child.exited;
  if (exitCode !== 0) throw new Error(`${command} failed`);
  return output;
}

const REMOVAL_LIMIT_MS = 20_000;
const POLL_MS = 500;

/** Ends and removes a container, in any state. @throws if it may remain */
async function removeContainer(
  api: EngineApi,
  clock: Clock,
  id: string,
  withVolumes: boolean,
): Promise<void> {
  let why = '';
  const isGone = async () => {
    const { status, words } = await api.ask('DELETE', `/containers/${id}?force=1&v=${withVolumes ? 1 : 0}`);
    why = words;
    // An engine that is already removing it refuses another removal (409).
    return status === 404 || status === 204;
  };
  if (!(await holdsWithin(clock, isGone, { limitMs: REMOVAL_LIMIT_MS, intervalMs: POLL_MS })))
    throw new Error(why);
}

interface PullOptions extends AuthDeps {
  readonly api: EngineApi;
  readonly clock: Clock;
  readonly image: string;
  /** Cancels the pull, also at the engine. */
  readonly signal: AbortSignal | undefined;
  /** Called with the state of the pull, as text, which counts as progress; undefined at its end. */
  readonly onPulling: (words: string | undefined) => void;
}

const reportSchema = z.object({
  id: z.string().optional(),
  status: z.string().optional(),
  progressDetail: z.object({ current: z.number().optional() }).optional(),
  error: z.string().optional(),
});
/** Milliseconds between two states of a pull, of which an engine tells many a second. */
const TELL_MS = 500;
/** Milliseconds for the first report: the engine asks the registry before. */
const BEGIN_LIMIT_MS = 60_000;

/** Has an engine pull an image, with the person's sign-in at its registry. @throws EngineRefusal with the words of the registry */
async function pullImage({ api, clock, image, signal, onPulling, ...deps }: PullOptions): Promise<void> {
  const { query, registry } = imageNameOf(image);
  const auth = await registryAuthOf(registry, deps);
  const pull = new ImagePull(image);
  pull.report({});
  onPulling(pull.words);
  let telling: Disposable | undefined;
  const tell = () => {
    telling = undefined;
    onPulling(pull.words);
  };
  let problem: string | undefined;
  try {
    const reports = await api.stream(`/images/create?${query}`, {
      method: 'POST',
      limitMs: BEGIN_LIMIT_MS,
      headers: { 'Content-Length': '0', ...(auth !== undefined && { 'X-Registry-Auth': auth }) },
    });
    await eachLine(reports, signal, (line) => {
      const { data: report } = reportSchema.safeParse(parsedJson(line));
      if (report === undefined) return;
      problem ??= report.error;
      pull.report(report);
      // An engine that waits reports nothing more, so the last state is told, too.
      telling ??= clock.setTimeout(tell, TELL_MS);
    });
  } finally {
    telling?.dispose();
    onPulling(undefined);
  }
  // The status of the answer was sent before the pull began.
  if (problem !== undefined) throw new EngineRefusal(problem);
}

/** Passes on each line of a stream until its end, or until `signal` breaks it. @throws if it breaks */
async function eachLine(
  stream: Readable,
  signal: AbortSignal | undefined,
  onLine: (line: string) => void,
): Promise<void> {
  const leave = () => void stream.destroy(new Error('the start was given up'));
  signal?.addEventListener('abort', leave, { once: true });
  if (signal?.aborted === true) leave();
  try {
    await new Promise<void>((resolve, reject) => {
      stream.once('end', resolve).on('error', reject);
      createInterface(stream)
        .on('line', onLine)
        .on('error', () => undefined);
    });
  } finally {
    signal?.removeEventListener('abort', leave);
  }
}
