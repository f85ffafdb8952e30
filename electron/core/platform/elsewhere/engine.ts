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

/** One container of another engine, or one pod of a cluster. */
export interface Box {
  readonly id: string;
  readonly outputs: Pick<BoxOutputs, 'stdout' | 'stderr' | 'finish'>;
  /** Connects to it while it runs, without gaps or duplicates in its output. @throws if that is not possible */
  attach(): Promise<ContainerLine>;
  /** Returns its state; undefined if the engine's answer does not tell it. @throws if the engine is not reached */
  look(): Promise<BoxState | undefined>;
  /** Sends SIGTERM, and SIGKILL after the grace. Resolves when it has ended, or after `limitMs`. */
  stop(graceS: number, limitMs: number): Promise<unknown>;
  /** Ends and removes it, in any state. @throws if it may remain */
  remove(): Promise<void>;
  openFigures(): ContainerFigures;
}

export interface BoxOwner {
  readonly server: string;
  readonly token: string;
  readonly withVolumes: boolean;
}

/** Another engine (`runOn`), or a cluster, with one connection for all runs on it. */
export interface Engine {
  readonly kind: RunHost['kind'];
  readonly link: EngineLink;
  /** What the user should check when it is not reached. */
  readonly remedy: string;
  /**
   * Creates a container and starts it. Its image is pulled if it is missing. The line is undefined if there is no connection
   * yet.
   * @throws PanelError if the engine refuses, and then nothing is left; any other error if the outcome is unknown
   */
  create(
    spec: ContainerSpec,
    owner: BoxOwner,
    start: Pick<HostedStart, 'request' | 'onPulling'>,
  ): Promise<{ box: Box; line: ContainerLine | undefined }>;
  /** Returns the containers of a run, in any state. @throws if the engine does not report them */
  find(owner: BoxOwner): Promise<readonly { readonly id: string; readonly isLive: boolean }[]>;
  /** Takes over a running container; its outputs count from now on. */
  adopt(id: string, owner: BoxOwner): Promise<Box>;
  /** Ends and removes a container, in any state. @throws if it may remain */
  remove(id: string, owner: BoxOwner): Promise<void>;
}
