import type { Duplex } from 'node:stream';
import { PanelError } from '../../../../shared/error-codes.ts';
import { messageOf } from '../../../../shared/message-of.ts';
import type { WorkloadPlace } from '../../../../shared/panel-settings.ts';
import type { RunHost } from '../../../../shared/domain.ts';
import { nameOfPlace, workloadNameOf, workloadWords } from '../../../../shared/run-host.ts';
import { delay, holdsWithin } from '../../wait.ts';
import type { ContainerReading } from '../containers/container-reading.ts';
import { EngineRefusal, type EngineApi } from '../containers/engine-api.ts';
import type { HostedEnd } from '../hosted-run.ts';
import { clusterApiOf, type ClusterAccessDeps } from './cluster-access.ts';
import { followLog } from './log-lines.ts';
import { PodPort } from './pod-port.ts';
import { endOfOthers, endSince, failureOf, listed, podWords, type PodState } from './pod-status.ts';
import { PodWatch, VERSION_PATH } from './pod-watch.ts';
import { findWorkload, clusterRefusal, RIGHTS, type WorkloadResource } from './workload-resource.ts';

export interface WorkloadHooks {
  /** Called when `host` has changed. */
  readonly onChange: () => void;
  /** Receives whole lines: those of the pods' logs, and some by the panel about the pods. */
  readonly onLine: (line: Buffer) => void;
  /** Called repeatedly with the reason why no pod can be used yet; called with undefined once a pod can be used. */
  readonly onWait: (words: string | undefined) => void;
  /** Called when the pod to which the panel forwards connections has ended, or the container in that pod has. */
  readonly onOver: (end: HostedEnd) => void;
}

/** What is needed to follow the pods of the resource in the cluster. */
interface Followed {
  readonly api: EngineApi;
  readonly watch: PodWatch;
  readonly resource: WorkloadResource;
  /** Time by the cluster's clock shortly before the resource was found; logs are read from this time on. */
  readonly from: string;
}

const POLL_MS = 500;
/** Maximum ms to wait until the cluster says why a connection ended. The pod's kubelet reports it within a second or two. */
const EXPLAIN_MS = 3000;
/** Maximum number of pods whose logs are read continuously, and whose states are requested to explain an ended connection. */
const MAX_PODS = 5;
const LAST_LINES = 20;

/**
 * The Deployment, Service or MCPServer in which a server runs, seen from one run of that server: its pods, their logs and
 * figures, and connections to one of them. Somebody else manages it, so this class changes nothing in the cluster.
 */
export class Workload {
  readonly figures = { read: () => this.#read() };
  readonly #place: WorkloadPlace;
  readonly #deps: ClusterAccessDeps;
  readonly #hooks: WorkloadHooks;
  readonly #over = new AbortController();
  readonly #logs = new Set<string>();
  readonly #told = new Map<string, string>();
  #followed: Followed | undefined;
  /** States of the pods when the session began: only the pod that gets the connections, or all pods for a server with a URL. */
  #used: readonly PodState[] = [];
  #port = 0;
  #hasTold = false;

  constructor(place: WorkloadPlace, deps: ClusterAccessDeps, hooks: WorkloadHooks) {
    this.#place = place;
    this.#deps = deps;
    this.#hooks = hooks;
  }

  get host(): RunHost {
    const [pod, ...others] = this.#used;
    const { resource, watch } = this.#followed ?? {};
    const pods = listed(watch?.all ?? []);
    const state = resource?.words ? [`${workloadNameOf(this.#place)} ${resource.words}`] : [];
    return {
      ...{ kind: 'pod', engine: nameOfPlace(this.#place), workload: workloadWords(this.#place) },
      ...(pod && others.length === 0 && { id: pod.name, memoryLimitBytes: pod.memoryLimitBytes }),
      ...(pods.length > 0 && { pods: [...state, ...pods].join('; ') }),
      ...(watch?.link.isLost && { isOutOfReach: true }),
    };
  }

  /** Makes connections to the pod; undefined for a server that is reached by its URL. */
  get dial(): (() => Duplex) | undefined {
    return this.#place.port === undefined ? undefined : () => this.#connect();
  }

  /**
   * Finds the pods. If the panel forwards connections to a pod, this also waits until a pod is ready. A server with a URL is
   * reached even if the cluster is not, so in that case errors are only written to the log. @returns why no pod will become
   * ready; undefined on success @throws PanelError START_FAILED, UNREACHABLE, RUNTIME_TOO_OLD
   */
  async open(signal: AbortSignal): Promise<HostedEnd | undefined> {
    try {
      const followed = await this.#find();
      const failure = this.dial && (await this.#choose(followed, signal));
      if (failure) return failure;
      if (!this.dial) this.#used = followed.watch.all;
      this.#changed();
    } catch (error) {
      const told = this.#explained(error);
      if (this.dial) throw told;
      this.#say(`its pods are unknown: ${told.message} ${told.remedy ?? ''}`);
    }
    return undefined;
  }

  /** Returns why a connection has ended, if the cluster knows. Never rejects. */
  async explain(): Promise<HostedEnd | undefined> {
    const { watch } = this.#followed ?? {};
    let end: HostedEnd | undefined;
    if (watch === undefined || this.#used.length === 0) return undefined;
    const look = async () => {
      for (const pod of this.#used.slice(0, MAX_PODS)) {
        end = endSince(pod, (await watch.ask(pod.name)) ?? pod);
        if (end) return true;
      }
      return false;
    };
    const limits = { limitMs: EXPLAIN_MS, intervalMs: POLL_MS };
    await holdsWithin(this.#deps.clock, look, limits).catch(() => undefined);
    return end;
  }

  dispose(): void {
    this.#over.abort();
    this.#followed?.watch.link.close();
  }

  async #find(): Promise<Followed> {
    const { clock } = this.#deps;
    const { api, namespace } = await clusterApiOf(this.#place, this.#deps);
    try {
      const from = await api.now(VERSION_PATH);
      const resource = await findWorkload(api, this.#place, namespace);
      // Losing the cluster is only a change of `host` (`isOutOfReach`). Whether the server itself works is shown by its own
      // state.
      const told = () => this.#hooks.onChange();
      const watch = new PodWatch({
        ...{ name: nameOfPlace(this.#place), api, clock, namespace, selector: resource.selector },
        ...{ onLost: told, onBack: told, onNews: () => this.#changed() },
      });
      await watch.begin();
      this.#over.signal.throwIfAborted();
      watch.link.use();
      this.#followed = { api, watch, resource, from };
      return this.#followed;
    } catch (error) {
      api.cut();
      throw error;
    }
  }

  /** Waits for a ready pod and uses it for all connections: a session exists in only one pod. @returns why none will be ready */
  async #choose(followed: Followed, signal: AbortSignal): Promise<HostedEnd | undefined> {
    const { resource, watch } = followed;
    const name = workloadNameOf(this.#place);
    let before = '';
    for (;;) {
      signal.throwIfAborted();
      const pods = watch.all.filter(
        ({ isGoing, restartedAt }) =>
          !isGoing && (resource.restartedAt === undefined || restartedAt === resource.restartedAt),
      );
      const ready = pods.find(({ isReady, kind }) => isReady && kind === 'running');
      if (ready) {
        const port = resource.portIn(ready);
        if (port === undefined)
          throw new PanelError('START_FAILED', `The pod ${ready.name} of ${name} has no port of that name.`);
        this.#port = port;
        this.#used = [ready];
        this.#hooks.onWait(undefined);
        return undefined;
      }
      const [failed] = pods;
      if (failed && pods.every((pod) => failureOf(pod) !== undefined)) return this.#failure(followed, failed);
      if (resource.replicas === 0)
        throw new PanelError('START_FAILED', `${name} has no pods: it is scaled to 0.`, {
          remedy: 'Scale it up in the cluster.',
        });
      const told = listed(pods).join('; ');
      const words = `waiting for a pod of ${name}${told && `: ${told}`}`;
      // Each call of `onWait` counts as progress, so without any pod an unchanged reason is reported only once.
      if (pods.length > 0 || words !== before) this.#hooks.onWait(words);
      before = words;
      await delay(this.#deps.clock, POLL_MS, signal);
    }
  }

  /** Passes on the last output of a container that keeps failing, and returns why it failed. */
  async #failure({ api, watch: { path } }: Followed, pod: PodState): Promise<HostedEnd> {
    const previous = pod.restarts > 0 && pod.kind !== 'ended' ? '&previous=true' : '';
    const log = `${path}/${pod.name}/log?container=${pod.container}&tailLines=${LAST_LINES}${previous}`;
    const said = await api.ask('GET', log).catch(() => undefined);
    if (said?.status === 200) this.#hooks.onLine(Buffer.from(`${said.words}\n`));
    return endOfOthers(failureOf(pod) ?? {}, pod);
  }

  #connect(): Duplex {
    const { api, watch } = this.#followed!;
    const [pod] = this.#used;
    const toError = (error: unknown) => {
      if (error instanceof EngineRefusal && (error.status === 401 || error.status === 403))
        return clusterRefusal(nameOfPlace(this.#place), RIGHTS.forward, error.message, error.status);
      const why = error instanceof EngineRefusal ? 'refuses a connection' : 'cannot be reached';
      return new PanelError('UNREACHABLE', `The pod ${pod?.name} ${why}: ${messageOf(error)}.`, {
        data: { isSent: false },
      });
    };
    const { clock } = this.#deps;
    return new PodPort({ api, clock, path: `${watch.path}/${pod?.name}`, port: this.#port, toError });
  }

  /** Reports changed pod states, and begins to read the logs of new pods. */
  #changed(): void {
    if (this.#over.signal.aborted || this.#followed === undefined) return;
    const { watch } = this.#followed;
    for (const pod of watch.all) {
      const words = podWords(pod);
      if (this.#told.get(pod.name) === words) continue;
      this.#told.set(pod.name, words);
      this.#say(`pod ${pod.name} ${words}`);
    }
    this.#hooks.onChange();
    const [used] = this.#used;
    const all = this.dial ? this.#used : watch.all;
    for (const pod of all.slice(0, MAX_PODS))
      if (pod.kind === 'running' && !this.#logs.has(pod.name)) this.#readLog(this.#followed, pod);
    const end = this.dial && used && endSince(used, watch.get(used.name));
    if (end === undefined || this.#hasTold) return;
    this.#hasTold = true;
    this.#hooks.onOver(end);
  }

  #readLog({ api, watch: { path }, from }: Followed, { container, name }: PodState): void {
    this.#logs.add(name);
    const { clock } = this.#deps;
    const { signal } = this.#over;
    const before = Buffer.from(this.dial ? '' : `${name}: `);
    const onLine = (line: Buffer) => this.#hooks.onLine(Buffer.concat([before, line]));
    const log = `${path}/${name}/log?container=${container}`;
    void followLog({ api, clock, path: log, from, signal, onLine }).then((forbidden) => {
      if (forbidden !== undefined)
        this.#say(clusterRefusal(nameOfPlace(this.#place), RIGHTS.log, forbidden, 403).message);
    });
  }

  #read(): ContainerReading | 'out-of-reach' | undefined {
    if (this.#followed === undefined) return undefined;
    const { link, metrics, all } = this.#followed.watch;
    return link.isLost ? 'out-of-reach' : metrics.readAll(all.map(({ name }) => name));
  }

  #say(words: string): void {
    this.#hooks.onLine(Buffer.from(`${workloadNameOf(this.#place)}: ${words}\n`));
  }

  #explained(error: unknown): PanelError {
    if (error instanceof PanelError) return error;
    if (error instanceof EngineRefusal)
      return clusterRefusal(nameOfPlace(this.#place), RIGHTS.pods, error.message, error.status);
    return new PanelError(
      'UNREACHABLE',
      `The cluster ${nameOfPlace(this.#place)} is not reached: ${messageOf(error)}.`,
      {
        remedy: 'Check that "kubectl get pods" works, with the same "context" and "namespace".',
        cause: error,
      },
    );
  }
}
