import { z } from 'zod';
import { PanelError } from '../../../../shared/error-codes.ts';
import type { Clock } from '../../clock.ts';
import type { EngineAnswer, EngineApi } from '../../platform/containers/engine-api.ts';
import { containerStateOf } from '../../platform/containers/engine-client.ts';
import { EngineStats } from '../../platform/containers/engine-stats.ts';
import { ContainerOutputs } from '../../platform/elsewhere/container-lines.ts';
import type { ContainerSpec } from '../../platform/elsewhere/container-spec.ts';
import type { Box, BoxOwner, BoxState, Engine } from '../../platform/elsewhere/engine.ts';
import type { EngineLink } from '../../platform/elsewhere/engine-link.ts';
import { HOME_LABEL, RUN_LABEL, SERVER_LABEL } from '../../platform/elsewhere/engine-labels.ts';
import { removeContainer } from './remove-container.ts';

const listSchema = z.array(z.object({ Id: z.string(), State: z.string() }));
const createdSchema = z.object({ Id: z.string() });

export interface DockerEngineOptions {
  readonly link: EngineLink;
  readonly clock: Clock;
  /** Value of the label that tells the containers of this panel from those of others. */
  readonly home: string;
}

/** A docker engine elsewhere. */
export class DockerEngine implements Engine {
  readonly kind = 'container';
  readonly link: EngineLink;
  readonly remedy = `Check that "docker ps" works there, with the same "context" or "host" as "runOn".`;
  readonly #api: EngineApi;
  readonly #clock: Clock;
  readonly #home: string;

  constructor({ link, clock, home }: DockerEngineOptions) {
    this.link = link;
    this.#api = link.api;
    this.#clock = clock;
    this.#home = home;
  }

  async create({ name, body }: ContainerSpec, owner: BoxOwner) {
    const { server, token } = owner;
    const labels = { ...body.Labels, [HOME_LABEL]: this.#home, [RUN_LABEL]: token, [SERVER_LABEL]: server };
    const query = name === undefined ? '' : `?name=${encodeURIComponent(name)}`;
    const created = await this.#api.ask('POST', `/containers/create${query}`, {
      body: { ...body, Labels: labels },
    });
    if (created.status !== 201) throw refusal(this.link.name, body.Image, created);
    const { Id: id } = createdSchema.parse(created.body);
    const outputs = new ContainerOutputs(this.#api, id, '');
    const line = await outputs.attach();
    const started = await this.#api.ask('POST', `/containers/${id}/start`);
    if (started.status === 204) return { box: this.#box(id, outputs, owner), line };
    line.close();
    await this.remove(id, owner);
    throw refusal(this.link.name, body.Image, started);
  }

  async find({ token }: BoxOwner) {
    const filters = { label: [`${HOME_LABEL}=${this.#home}`, `${RUN_LABEL}=${token}`] };
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
    return removeContainer(this.#api, this.#clock, id, withVolumes);
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
      openFigures: () => new EngineStats(api, id, this.#clock),
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

function refusal(
  engine: string,
  image: string,
  { status, words }: Pick<EngineAnswer, 'status' | 'words'>,
): PanelError {
  const isMissing = status === 404 && words.includes('No such image');
  return new PanelError('START_FAILED', `The engine ${engine} refused the container: ${words}`, {
    ...(isMissing && { remedy: `Pull the image there: docker pull ${image}` }),
  });
}
