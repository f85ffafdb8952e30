import { z } from 'zod';
import { PanelError } from '../../../../shared/error-codes.ts';
import type { Clock } from '../../clock.ts';
import type { EngineAnswer, EngineApi } from '../../platform/containers/engine-api.ts';
import { containerStateOf } from '../../platform/containers/engine-client.ts';
import { EngineStats } from '../../platform/containers/engine-stats.ts';
import { ContainerOutputs } from '../../platform/elsewhere/container-lines.ts';
import type { ContainerSpec } from '../../platform/elsewhere/container-spec.ts';
import type { Box, BoxOwner, BoxState, Engine } from '../../platform/elsewhere/engine.ts';
import type { EngineLink } from '../../platform/containers/engine-link.ts';
import { HOME_LABEL, RUN_LABEL, SERVER_LABEL } from '../../platform/containers/engine-labels.ts';
import type { Spawner } from '../../platform/spawner.ts';
import { holdsWithin } from '../../wait.ts';
import { pullForStart, type PullingStart } from './pull-image.ts';

const listSchema = z.array(z.object({ Id: z.string(), State: z.string() }));
const createdSchema = z.object({ Id: z.string() });

export interface DockerEngineOptions {
  readonly link: EngineLink;
  readonly clock: Clock;
  /** Value of the label that distinguishes the containers of this panel from others. */
  readonly home: string;
  readonly spawner: Spawner;
  /** Home folder of the user. Credential helpers of the docker client and `ssh` are executed in it. */
  readonly userHome: string;
  /** Returns the environment of the user. Credential helpers of the docker client and `ssh` are executed with it. */
  readonly environment: () => Readonly<Record<string, string>>;
}

/** A docker engine other than the local one, selected by the server setting `runOn`. */
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
      const { environment, userHome: cwd } = this.#options;
      const place = { ...this.#options, where: `on ${this.link.name}`, env: environment(), cwd };
      await pullForStart(place, body.Image, start);
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
    return this.#box(id, new ContainerOutputs(this.#api, id, await this.#api.now('/_ping')), owner);
  }

  remove(id: string, { withVolumes }: BoxOwner): Promise<void> {
    return removeContainer(this.#api, this.#options.clock, id, withVolumes);
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
  // A container that no longer exists was removed by force, which counts as a kill.
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
    // While the engine is removing the container, it answers 409 to another removal; the loop then asks again.
    return status === 404 || status === 204;
  };
  if (!(await holdsWithin(clock, isGone, { limitMs: REMOVAL_LIMIT_MS, intervalMs: POLL_MS })))
    throw new Error(why);
}
