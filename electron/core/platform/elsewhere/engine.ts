import type { RunHost } from '../../../../shared/domain.ts';
import type { ContainerFigures } from '../containers/container-reading.ts';
import type { HostedEnd, HostedStart } from '../hosted-run.ts';
import type { BoxOutputs, ContainerLine } from './box-outputs.ts';
import type { ContainerSpec } from './container-spec.ts';
import type { EngineLink } from '../containers/engine-link.ts';

export interface BoxState {
  /** State of the container; `waiting` until its program has begun. */
  readonly kind: 'waiting' | 'running' | 'ended';
  readonly end?: HostedEnd;
  readonly memoryLimitBytes?: number;
}

/** One container of an engine other than the local one, or one pod of a cluster. */
export interface Box {
  readonly id: string;
  readonly outputs: Pick<BoxOutputs, 'stdout' | 'stderr' | 'finish'>;
  /** Connects to the running container. Output has no gaps or duplicates, even after a lost connection. @throws if it fails */
  attach(): Promise<ContainerLine>;
  /** Returns the container's state; undefined if the engine's answer does not contain it. @throws if the engine is not reached */
  look(): Promise<BoxState | undefined>;
  /** Sends SIGTERM to the container, and SIGKILL after `graceS` seconds. Resolves when it has ended, or after `limitMs`. */
  stop(graceS: number, limitMs: number): Promise<unknown>;
  /** Ends and removes the container, in any state. @throws if the container may remain */
  remove(): Promise<void>;
  openFigures(): ContainerFigures;
}

export interface BoxOwner {
  readonly server: string;
  readonly token: string;
  readonly withVolumes: boolean;
}

/** Another container engine (`runOn` in the configuration) or a cluster, with one connection for all runs on it. */
export interface Engine {
  readonly kind: RunHost['kind'];
  readonly link: EngineLink;
  /** What the user should check if the engine or cluster is not reached. */
  readonly remedy: string;
  /**
   * Creates a container and starts it. Pulls its image if the engine does not have it. `line` is the connection to the
   * container, or undefined if there is none yet.
   * @throws PanelError if the engine refuses, and then nothing is left; any other error if the outcome is unknown
   */
  create(
    spec: ContainerSpec,
    owner: BoxOwner,
    start: Pick<HostedStart, 'request' | 'onPulling'>,
  ): Promise<{ box: Box; line: ContainerLine | undefined }>;
  /** Returns the containers of a run, in any state. @throws if the engine does not report them */
  find(owner: BoxOwner): Promise<readonly { readonly id: string; readonly isLive: boolean }[]>;
  /** Takes over a running container from an earlier app run. Only output from now on is delivered. */
  adopt(id: string, owner: BoxOwner): Promise<Box>;
  /** Ends and removes a container, in any state. @throws if it may remain */
  remove(id: string, owner: BoxOwner): Promise<void>;
}
