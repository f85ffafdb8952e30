import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { PanelError } from '../../../../shared/error-codes.ts';
import { messageOf } from '../../../../shared/message-of.ts';
import type { RunOn } from '../../../../shared/panel-settings.ts';
import { nameOfPlace } from '../../../../shared/run-host.ts';
import { canonicalJson } from '../../config/server-key.ts';
import { containerSpecOf, type ContainerSpec } from '../../platform/elsewhere/container-spec.ts';
import { engineAddressOf, createEngineAgents } from '../../platform/elsewhere/engine-address.ts';
import { EngineApi } from '../../platform/containers/engine-api.ts';
import { dockerEvents, EngineLink, type LastEngines } from '../../platform/containers/engine-link.ts';
import { HOME_LABEL, homeOf } from '../../platform/containers/engine-labels.ts';
import type { Engine } from '../../platform/elsewhere/engine.ts';
import type { HostedStart, ProcessHost } from '../../platform/hosted-run.ts';
import type { Signaller } from '../../platform/signals.ts';
import type { EngineRecord, EngineRecords } from '../custody/engine-record.ts';
import { DockerEngine, type DockerEngineOptions } from './docker-engine.ts';
import { EngineRun } from './engine-run.ts';

export interface EngineHostOptions extends Omit<DockerEngineOptions, 'link' | 'home'> {
  readonly records: EngineRecords;
  readonly lastEngines: LastEngines;
  /** Data folder of the panel, which distinguishes its containers from those of other panels. */
  readonly home: string;
  readonly signaller: Signaller;
  readonly onLost: (engine: string, reason: string) => void;
  readonly onBack: (engine: string, lostMs: number) => void;
  /** Called when a container was adopted. `left`: the record of the earlier panel process, with the calls that it made. */
  readonly onAdopted: (server: string, engine: string, id: string, left: EngineRecord) => void;
  readonly notice: (line: string) => void;
}

/** Starts servers in containers of other engines and pods of clusters, and adopts those left running by an earlier panel. */
export class EngineHost implements ProcessHost {
  readonly #options: EngineHostOptions;
  readonly #home: string;
  readonly #engines = new Map<string, Promise<Engine>>();

  constructor(options: EngineHostOptions) {
    this.#options = options;
    this.#home = homeOf(options.home);
  }

  /** Starts a server. @throws PanelError CONFIG_INVALID, UNREACHABLE, or START_FAILED with the message of the engine */
  async start(start: HostedStart): Promise<EngineRun> {
    const { server, request, marker, onHost } = start;
    const { runOn: place } = request;
    if (place === undefined) throw new Error('the request names no engine');
    const spec = await containerSpecOf(request, (path) => readFile(path, 'utf8'));
    const engine = await this.#engineAt(place);
    const use = engine.link.use();
    this.#options.lastEngines.ran(server, engine.link);
    const digest = createHash('sha256')
      .update(canonicalJson([place, spec.name ?? null, spec.body]))
      .digest('hex');
    try {
      const { clock, records } = this.#options;
      const parts = { clock, engine, marker, records, use, onHost };
      const adopted = await this.#takeLeft(server, digest, engine);
      if (adopted) return new EngineRun({ ...parts, ...adopted, line: undefined });
      const { withVolumes } = spec;
      const record: EngineRecord = {
        ...{ version: 1, server, token: marker, place, digest, withVolumes, isWanted: true, adoptions: 0 },
      };
      return new EngineRun({ ...parts, record, ...(await this.#create(engine, spec, record, start)) });
    } catch (error) {
      use.dispose();
      throw error instanceof PanelError ? error : unreachable(engine, error);
    }
  }

  /** Removes the containers left behind by earlier panel processes, except of servers that `keeps` accepts. Never rejects. */
  async reap(keeps: (server: string) => boolean): Promise<void> {
    for (const record of await this.#options.records.left())
      if (!keeps(record.server)) await this.#removeLeft(record);
  }

  async close(): Promise<void> {
    for (const engine of this.#engines.values()) (await engine.catch(() => undefined))?.link.close();
  }

  /**
   * Looks for a running container of an earlier run that was created from the same data, and adopts it; undefined if there is
   * none. Other containers of this server that are found before it are removed.
   */
  async #takeLeft(server: string, digest: string, engine: Engine) {
    const { onAdopted, records } = this.#options;
    for (const left of await records.left()) {
      if (left.server !== server) continue;
      const [found] = left.isWanted && left.digest === digest ? await engine.find(left) : [];
      if (!found?.isLive) {
        await this.#removeLeft(left);
        continue;
      }
      const record = { ...left, adoptions: left.adoptions + 1, calls: undefined, generation: undefined };
      await records.write(record);
      const box = await engine.adopt(found.id, record);
      onAdopted(server, engine.link.name, found.id, left);
      return { record, box };
    }
    return undefined;
  }

  /** Removes the container of a record, if there is one. Never rejects. The record is kept if the container may remain. */
  async #removeLeft(record: EngineRecord): Promise<void> {
    const { notice, records } = this.#options;
    const { place, server } = record;
    try {
      const engine = await this.#engineAt(place);
      for (const { id } of await engine.find(record)) await engine.remove(id, record);
      await records.remove(record);
    } catch (error) {
      notice(
        `${server}: a container on ${nameOfPlace(place)} that an earlier run left could not be removed: ${messageOf(error)}`,
      );
    }
  }

  async #create(engine: Engine, spec: ContainerSpec, record: EngineRecord, start: HostedStart) {
    const { records } = this.#options;
    await records.write(record);
    try {
      return await engine.create(spec, record, start);
    } catch (error) {
      // If the engine refused, no container remains. If the engine could not be reached, a container may exist, so the record
      // is kept for its removal.
      if (error instanceof PanelError) await records.remove(record);
      else await records.write({ ...record, isWanted: false });
      records.release(record);
      throw error;
    }
  }

  #engineAt(place: RunOn): Promise<Engine> {
    const key = JSON.stringify(place);
    const known = this.#engines.get(key);
    if (known) return known;
    const engine = this.#connect(place);
    this.#engines.set(key, engine);
    // A failure is not cached, because the next attempt may succeed, for example if the user has created the docker context.
    engine.catch(() => this.#engines.delete(key));
    return engine;
  }

  async #connect(place: RunOn): Promise<Engine> {
    const { clock, environment, onBack, onLost, signaller, spawner, userHome } = this.#options;
    const name = nameOfPlace(place);
    const parts = {
      ...{ name, clock, home: this.#home },
      onLost: (reason: string) => onLost(name, reason),
      onBack: (lostMs: number) => onBack(name, lostMs),
    };
    if (place.engine === 'kubernetes') {
      const { openCluster } = await import('../../platform/kubernetes/cluster.ts');
      return await openCluster(place, { ...parts, userHome, env: environment() });
    }
    const address = await engineAddressOf(place, environment());
    const spawnSsh = (words: readonly string[]) =>
      spawner({ command: 'ssh', args: words, env: environment(), cwd: userHome, isHome: true });
    const isWindows = process.platform === 'win32';
    const api = new EngineApi(createEngineAgents(address, { spawnSsh, signaller, clock, isWindows }), clock);
    const events = dockerEvents(`${HOME_LABEL}=${this.#home}`);
    const link = new EngineLink({ ...parts, api, events });
    return new DockerEngine({ link, clock, spawner, userHome, environment, home: this.#home });
  }
}

function unreachable({ link, remedy }: Engine, error: unknown): PanelError {
  return new PanelError('UNREACHABLE', `The engine ${link.name} is not reached: ${messageOf(error)}`, {
    remedy,
    cause: error,
    ...(link.isLost && { data: { isEngineLost: true } }),
  });
}
