import { z } from 'zod';
import type { ClusterPlace } from '../../../../shared/panel-settings.ts';
import { createDeferred } from '../../deferred.ts';
import { holdsWithin, settlesWithin } from '../../wait.ts';
import type { EngineApi } from '../containers/engine-api.ts';
import type { ContainerSpec } from '../elsewhere/container-spec.ts';
import { HOME_LABEL, RUN_LABEL, SERVER_LABEL } from '../containers/engine-labels.ts';
import type { EngineLink } from '../containers/engine-link.ts';
import type { Box, BoxOwner, Engine } from '../elsewhere/engine.ts';
import { clusterApiOf, type ClusterAccessDeps } from './cluster-access.ts';
import { PodOutputs } from './pod-outputs.ts';
import { labelValue, podOf } from './pod-spec.ts';
import { GONE, podStateOf, unschedulable, type PodState } from './pod-status.ts';
import { PodWatch, VERSION_PATH } from './pod-watch.ts';
import { clusterRefusal, RIGHTS } from './workload-resource.ts';

export interface ClusterDeps extends ClusterAccessDeps {
  /** Displayed name of the cluster. */
  readonly name: string;
  /** Value of the label that distinguishes the pods of this panel from those of others. */
  readonly home: string;
  readonly onLost: (reason: string) => void;
  readonly onBack: (lostMs: number) => void;
}

const listSchema = z.object({ items: z.array(z.unknown()) });

/**
 * Maximum ms that a pod may wait for a node; after that, the start fails. A cluster that scales up has usually added a node by
 * then, or has one at the next start.
 */
const UNSCHEDULABLE_MS = 45_000;
/** Maximum milliseconds to wait until the cluster reports the end of a pod whose connection has already ended. */
const END_LIMIT_MS = 5000;
const REMOVAL_LIMIT_MS = 20_000;
const POLL_MS = 250;
const LOOKS_BY_WATCH = 20;
/** Shortest grace in seconds to delete a pod. With 0, a cluster forgets the pod while its node may still run it. */
const SHORTEST_GRACE_S = 1;

/** Connects to a cluster, on which servers can then be run. @throws PanelError as `clusterApiOf` does */
export async function openCluster(place: ClusterPlace, deps: ClusterDeps): Promise<Engine> {
  const { api, namespace } = await clusterApiOf(place, deps);
  return new Cluster(api, namespace, deps);
}

/** One namespace of a Kubernetes cluster, used like a container engine: each run is a pod. */
class Cluster implements Engine {
  readonly kind = 'pod';
  readonly link: EngineLink;
  readonly remedy =
    'Check that "kubectl get pods" works, with the same "context" and "namespace" as "runOn".';
  readonly #api: EngineApi;
  readonly #deps: ClusterDeps;
  readonly #watch: PodWatch;

  constructor(api: EngineApi, namespace: string, deps: ClusterDeps) {
    this.#api = api;
    this.#deps = deps;
    this.#watch = new PodWatch({ ...deps, api, namespace, selector: `${HOME_LABEL}=${deps.home}` });
    this.link = this.#watch.link;
  }

  async create({ body }: ContainerSpec, { server, token }: BoxOwner) {
    const labels = {
      [HOME_LABEL]: this.#deps.home,
      [RUN_LABEL]: token,
      [SERVER_LABEL]: labelValue(server),
    };
    const pod = podOf(body, { server, token }, labels);
    const { status, words } = await this.#api.ask('POST', this.#watch.path, { body: pod });
    if (status !== 201 && status !== 200) throw clusterRefusal(this.link.name, RIGHTS.create, words, status);
    return { box: this.#box(pod.metadata.name, '', body.Image), line: undefined };
  }

  async find({ token }: BoxOwner) {
    const selector = `${HOME_LABEL}=${this.#deps.home},${RUN_LABEL}=${token}`;
    const { status, body, words } = await this.#api.ask(
      'GET',
      `${this.#watch.path}?labelSelector=${encodeURIComponent(selector)}`,
    );
    if (status !== 200) throw new Error(words);
    return listSchema.parse(body).items.flatMap((item) => {
      const { kind, name } = podStateOf(item) ?? {};
      return name === undefined ? [] : [{ id: name, isLive: kind === 'running' }];
    });
  }

  async adopt(id: string): Promise<Box> {
    return this.#box(id, await this.#api.now(VERSION_PATH));
  }

  async remove(id: string): Promise<void> {
    await this.#delete(id, SHORTEST_GRACE_S, REMOVAL_LIMIT_MS);
  }

  /** Resolves when the pod is gone. @throws if it may remain after `limitMs` */
  async #delete(id: string, graceS: number, limitMs: number): Promise<void> {
    const path = `${this.#watch.path}/${id}?gracePeriodSeconds=${graceS}`;
    const asked = await this.#api.ask('DELETE', path);
    if (asked.status >= 400 && asked.status !== 404) throw new Error(asked.words);
    let looks = 0;
    const isGone = async () => {
      looks += 1;
      // Usually the state that the watch reported suffices, which costs no request. Every 20th time the cluster is asked,
      // because the watch may have died without notice.
      if (looks % LOOKS_BY_WATCH !== 0 && this.#watch.get(id) !== undefined) return false;
      return (await this.#watch.ask(id)) === GONE;
    };
    if (!(await holdsWithin(this.#deps.clock, isGone, { limitMs, intervalMs: POLL_MS })))
      throw new Error('the cluster has not ended the pod yet');
  }

  #box(id: string, from: string, image = ''): Box {
    const { clock } = this.#deps;
    const watch = this.#watch;
    const outputs = new PodOutputs(this.#api, clock, `${watch.path}/${id}`, from);
    const isOver = async () => {
      const over = createDeferred<void>();
      const unsubscribe = watch.over.subscribe((name) => name === id && over.resolve());
      const state = watch.get(id);
      if (state?.kind === 'running') await settlesWithin(clock, over.promise, END_LIMIT_MS);
      unsubscribe();
    };
    let hasBegun = from !== '';
    let waitedFor: string | undefined;
    let unschedulableAtMs: number | undefined;
    const look = async (): Promise<PodState | typeof GONE | undefined> => {
      const watched = hasBegun ? undefined : watch.get(id);
      const known = watched ?? (await watch.ask(id));
      if (known?.kind !== 'waiting') {
        if (waitedFor !== undefined) outputs.say('Status: the pod has begun');
        waitedFor = undefined;
        return known;
      }
      const { isUnschedulable = false, waitsFor = '' } = known;
      // `Trying to pull` and `Status:` are words of an engine's client that pulls an image. The panel (`ImagePull`) recognizes
      // by them that an image is being pulled, so the start continues even without further output.
      const begins = isUnschedulable ? 'Status: waiting for a node' : `Trying to pull ${image}`;
      if (waitsFor !== waitedFor) outputs.say(`${begins} (pod ${id}${waitsFor && `, ${waitsFor}`})`);
      waitedFor = waitsFor;
      unschedulableAtMs = isUnschedulable ? (unschedulableAtMs ?? clock.now()) : undefined;
      const isHopeless =
        unschedulableAtMs !== undefined && clock.now() - unschedulableAtMs >= UNSCHEDULABLE_MS;
      return isHopeless ? { ...known, kind: 'ended', end: unschedulable(waitsFor) } : known;
    };
    return {
      id,
      outputs,
      attach: () => {
        hasBegun = true;
        return outputs.attach(isOver);
      },
      look,
      stop: (graceS, limitMs) => this.#delete(id, graceS, limitMs),
      remove: () => this.remove(id),
      openFigures: () => ({ read: () => watch.metrics.read(id), dispose: () => undefined }),
    };
  }
}
