import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { PanelError } from '../../../../shared/error-codes.ts';
import { messageOf } from '../../../../shared/message-of.ts';
import type { RunOn } from '../../../../shared/panel-settings.ts';
import type { Clock } from '../../clock.ts';
import { canonicalJson } from '../../config/server-key.ts';
import { ContainerOutputs } from '../../platform/elsewhere/container-lines.ts';
import { containerSpecOf, type ContainerSpec } from '../../platform/elsewhere/container-spec.ts';
import { engineAddressOf, nameOfPlace } from '../../platform/elsewhere/engine-address.ts';
import { createEngineAgents } from '../../platform/elsewhere/engine-agents.ts';
import { EngineApi, type EngineAnswer } from '../../platform/containers/engine-api.ts';
import { EngineLink } from '../../platform/elsewhere/engine-link.ts';
import type { HostedStart, ProcessHost } from '../../platform/hosted-run.ts';
import type { Signaller } from '../../platform/signals.ts';
import type { Spawner } from '../../platform/spawner.ts';
import type { EngineRecord, EngineRecords } from '../custody/engine-record.ts';
import { EngineRun } from './engine-run.ts';
import { removeContainer } from './remove-container.ts';

export interface EngineHostOptions {
  readonly clock: Clock;
  readonly records: EngineRecords;
  /** Home folder of the panel, which tells its containers from those of other panels. */
  readonly home: string;
  readonly spawner: Spawner;
  readonly signaller: Signaller;
  /** Folder of the user, in which `ssh` runs. */
  readonly userHome: string;
  /** Environment of the user, in which the docker client and `ssh` would run. */
  readonly environment: () => Readonly<Record<string, string>>;
  readonly onLost: (engine: string, reason: string) => void;
  readonly onBack: (engine: string, lostMs: number) => void;
  readonly onAdopted: (server: string, engine: string, id: string) => void;
  /** Receives one sentence for users. */
  readonly notice: (line: string) => void;
}

const HOME_LABEL = 'mcp-control-panel.home';
const RUN_LABEL = 'mcp-control-panel.run';
const SERVER_LABEL = 'mcp-control-panel.server';

const listSchema = z.array(z.object({ Id: z.string(), State: z.string() }));
const createdSchema = z.object({ Id: z.string() });

/** Starts servers in containers of other engines, and adopts those that an earlier panel left running. */
export class EngineHost implements ProcessHost {
  readonly #options: EngineHostOptions;
  readonly #homeLabel: string;
  readonly #links = new Map<string, Promise<EngineLink>>();

  constructor(options: EngineHostOptions) {
    this.#options = options;
    this.#homeLabel = `${HOME_LABEL}=${createHash('sha256').update(options.home).digest('hex').slice(0, 16)}`;
  }

  /** @throws PanelError CONFIG_INVALID, UNREACHABLE, or START_FAILED with the words of the engine */
  async start({ server, request, marker, onHost }: HostedStart): Promise<EngineRun> {
    const { runOn: place } = request;
    if (place === undefined) throw new Error('the request names no engine');
    const spec = await containerSpecOf(request, (path) => readFile(path, 'utf8'));
    const link = await this.#linkTo(place);
    const use = link.use();
    const digest = createHash('sha256')
      .update(canonicalJson([place, spec.name ?? null, spec.body]))
      .digest('hex');
    try {
      const parts = { clock: this.#options.clock, link, marker, records: this.#options.records, use, onHost };
      const adopted = await this.#takeLeft(server, digest, link);
      if (adopted) return new EngineRun({ ...parts, ...adopted, line: undefined });
      const { withVolumes } = spec;
      const record: EngineRecord = {
        ...{ version: 1, server, token: marker, place, digest, withVolumes, isWanted: true, adoptions: 0 },
      };
      return new EngineRun({ ...parts, record, ...(await this.#create(link, spec, record)) });
    } catch (error) {
      use.dispose();
      throw error instanceof PanelError ? error : unreachable(link.name, error);
    }
  }

  /** Removes the containers that an earlier panel left of servers that are not to run. Never rejects. */
  async reap(keeps: (server: string) => boolean): Promise<void> {
    for (const record of await this.#options.records.left())
      if (!keeps(record.server)) await this.#removeLeft(record);
  }

  /** Ends all connections. */
  async close(): Promise<void> {
    for (const link of this.#links.values()) (await link.catch(() => undefined))?.close();
  }

  /** Returns the container of an earlier run that is what this start would make, and removes all others of the server. */
  async #takeLeft(server: string, digest: string, link: EngineLink) {
    const { onAdopted, records } = this.#options;
    for (const left of await records.left()) {
      if (left.server !== server) continue;
      const [found] = left.isWanted && left.digest === digest ? await this.#find(link, left) : [];
      if (found === undefined || !['running', 'paused'].includes(found.State)) {
        await this.#removeLeft(left);
        continue;
      }
      const record = { ...left, adoptions: left.adoptions + 1 };
      await records.write(record);
      const { atS } = await link.api.ask('GET', '/_ping');
      onAdopted(server, link.name, found.Id);
      const from = new Date(atS * 1000).toISOString();
      return { record, id: found.Id, outputs: new ContainerOutputs(link.api, found.Id, from) };
    }
    return undefined;
  }

  /** Removes the container of a record, if there is one. Never rejects; the record stays where it may remain. */
  async #removeLeft(record: EngineRecord): Promise<void> {
    const { clock, notice, records } = this.#options;
    const { place, server, withVolumes } = record;
    try {
      const link = await this.#linkTo(place);
      for (const { Id: id } of await this.#find(link, record))
        await removeContainer(link.api, clock, id, withVolumes);
      await records.remove(record);
    } catch (error) {
      const engine = nameOfPlace(place);
      notice(
        `${server}: a container on ${engine} that an earlier run left could not be removed: ${messageOf(error)}`,
      );
    }
  }

  async #find({ api }: EngineLink, { token }: EngineRecord) {
    const filters = { label: [this.#homeLabel, `${RUN_LABEL}=${token}`] };
    const { status, body, words } = await api.ask(
      'GET',
      `/containers/json?all=1&filters=${encodeURIComponent(JSON.stringify(filters))}`,
    );
    if (status !== 200) throw new Error(words);
    return listSchema.parse(body);
  }

  async #create(link: EngineLink, { name, body }: ContainerSpec, record: EngineRecord) {
    const { clock, records } = this.#options;
    const { api } = link;
    await records.write(record);
    try {
      const [homeName = '', home = ''] = this.#homeLabel.split('=');
      const labels = {
        ...body.Labels,
        [homeName]: home,
        [RUN_LABEL]: record.token,
        [SERVER_LABEL]: record.server,
      };
      const query = name === undefined ? '' : `?name=${encodeURIComponent(name)}`;
      const created = await api.ask('POST', `/containers/create${query}`, {
        body: { ...body, Labels: labels },
      });
      if (created.status !== 201) throw refusal(link.name, body.Image, created);
      const { Id: id } = createdSchema.parse(created.body);
      const outputs = new ContainerOutputs(api, id, '');
      const line = await outputs.attach();
      const started = await api.ask('POST', `/containers/${id}/start`);
      if (started.status === 204) return { id, outputs, line };
      line.close();
      await removeContainer(api, clock, id, record.withVolumes);
      throw refusal(link.name, body.Image, started);
    } catch (error) {
      // An engine that refuses has made nothing that stays; of one that is not reached nobody knows.
      if (error instanceof PanelError) await records.remove(record);
      else await records.write({ ...record, isWanted: false });
      records.release(record);
      throw error;
    }
  }

  #linkTo(place: RunOn): Promise<EngineLink> {
    const key = JSON.stringify(place);
    const known = this.#links.get(key);
    if (known) return known;
    const link = this.#connect(place);
    this.#links.set(key, link);
    // A context may be there the next time.
    link.catch(() => this.#links.delete(key));
    return link;
  }

  async #connect(place: RunOn): Promise<EngineLink> {
    const { clock, environment, onBack, onLost, signaller, spawner, userHome } = this.#options;
    const address = await engineAddressOf(place, environment());
    const spawnSsh = (words: readonly string[]) =>
      spawner({ command: 'ssh', args: words, env: environment(), cwd: userHome, isHome: true });
    const api = new EngineApi(createEngineAgents(address, { spawnSsh, signaller }), clock);
    const name = nameOfPlace(place);
    return new EngineLink({
      ...{ name, api, clock, label: this.#homeLabel },
      onLost: (reason) => onLost(name, reason),
      onBack: (lostMs) => onBack(name, lostMs),
    });
  }
}

function unreachable(engine: string, error: unknown): PanelError {
  return new PanelError('UNREACHABLE', `The engine ${engine} is not reached: ${messageOf(error)}`, {
    remedy: `Check that "docker ps" works there, with the same "context" or "host" as "runOn".`,
    cause: error,
  });
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
