import type { RunHost } from '../../../../shared/domain.ts';
import type { ContainerFigures } from '../containers/container-reading.ts';
import type { HostedEnd, HostedStart } from '../hosted-run.ts';
import type { BoxOutputs, ContainerLine } from './box-outputs.ts';
import type { ContainerSpec } from './container-spec.ts';
import type { EngineLink } from '../containers/engine-link.ts';

export interface BoxState {
  /** `waiting` until its program has begun. */
  readonly kind: 'waiting' | 'running' | 'ended';
  readonly end?: HostedEnd;
  readonly memoryLimitBytes?: number;
}

/** One container of an engine elsewhere, or one pod of a cluster. */
export interface Box {
  readonly id: string;
  readonly outputs: Pick<BoxOutputs, 'stdout' | 'stderr' | 'finish'>;
  /** Connects to it while it runs, so that no output is missing and none comes twice. @throws if that is not possible */
  attach(): Promise<ContainerLine>;
  /** Undefined where the engine's answer says nothing. @throws if the engine is not reached */
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

/** An engine elsewhere, or a cluster, with one connection for all runs on it. */
export interface Engine {
  readonly kind: RunHost['kind'];
  readonly link: EngineLink;
  /** What a person checks when it is not reached. */
  readonly remedy: string;
  /**
   * Creates a container, of an image that is pulled if it is missing, and starts it. The line is undefined where there is none yet.
   * @throws PanelError where the engine refuses, and then nothing stays; any other error where nobody knows
   */
  create(
    spec: ContainerSpec,
    owner: BoxOwner,
    start: Pick<HostedStart, 'request' | 'onPulling'>,
  ): Promise<{ box: Box; line: ContainerLine | undefined }>;
  /** Returns the containers of a run, in any state. @throws if the engine does not tell */
  find(owner: BoxOwner): Promise<readonly { readonly id: string; readonly isLive: boolean }[]>;
  /** Takes over a container that runs; its outputs count from now on. */
  adopt(id: string, owner: BoxOwner): Promise<Box>;
  /** Ends and removes a container, in any state. @throws if it may remain */
  remove(id: string, owner: BoxOwner): Promise<void>;
}
