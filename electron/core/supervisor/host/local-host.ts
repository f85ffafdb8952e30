import type {
  HostedRun,
  HostedStart,
  ProcessHost,
  HostedEnd,
  RunProcesses,
  StopGraces,
  StopReport,
} from '../../platform/hosted-run.ts';
import { OwnedProcess, type OwnedProcessDeps } from '../../platform/owned-process.ts';
import type { ContainerCustody, ContainerClaim } from '../custody/container-custody.ts';
import type { RunHost } from '../../../../shared/domain.ts';
import type { ContainerFigures, ContainerReading } from '../../platform/containers/container-reading.ts';
import { EndByEngine } from '../../platform/containers/engine-link.ts';
import type { FoundContainer } from '../../platform/containers/open-figures.ts';
import type { ExitStatus, SpawnedChild } from '../../platform/spawner.ts';
import { delay, settlesWithin } from '../../wait.ts';
import { pullIfMissing } from './pull-image.ts';

/** Milliseconds between two queries for a container that its engine is still creating. */
const SEARCH_MS = 300;
/** Maximum milliseconds to wait until the engine reports why a container has ended. The server is not restarted before. */
const REASON_LIMIT_MS = 3000;

/** Exit code of a client whose container ended by SIGKILL. */
const KILLED_CODE = 137;

interface OwnedContainerStart extends Pick<OwnedProcessDeps, 'clock'> {
  readonly claim: ContainerClaim;
  readonly onHost: () => void;
}

/** A server in a container. The client of its engine is the spawned child process. */
class OwnedContainer extends OwnedProcess {
  readonly #start: OwnedContainerStart;
  readonly #gone = new AbortController();
  #found: FoundContainer | undefined;
  #figures: ContainerFigures | undefined;
  #wasOutOfMemory = false;
  readonly #endByEngine: EndByEngine | undefined;
  readonly figures = { read: (): ContainerReading | undefined => this.#figures?.read() };

  private constructor(
    deps: OwnedProcessDeps,
    start: OwnedContainerStart,
    child: SpawnedChild,
    marker: string,
  ) {
    super(deps, child, marker);
    this.#start = start;
    const { link } = start.claim;
    this.#endByEngine = link && new EndByEngine(link, () => this.#found?.id, this.exited);
    void this.exited.then(() => {
      // The memory events are read now, because the kernel's count disappears with the container, and podman does not always
      // report that memory ran out.
      this.#wasOutOfMemory = this.#figures?.read()?.isOutOfMemory === true;
      this.#forget();
    });
    void this.#search();
  }

  /** Spawns the engine client. @throws PanelError, the same errors as `Spawner` */
  static async run(
    deps: OwnedProcessDeps,
    start: Omit<OwnedContainerStart, 'clock'>,
    marker: string,
  ): Promise<OwnedContainer> {
    const child = await deps.spawner({ ...start.claim.request, marker });
    return new OwnedContainer(deps, { ...start, clock: deps.clock }, child, marker);
  }

  override get host(): RunHost {
    const { id, state } = this.#found ?? {};
    return {
      kind: 'container',
      engine: this.#start.claim.engine,
      ...(id !== undefined && { id }),
      ...(state?.memoryLimitBytes !== undefined && { memoryLimitBytes: state.memoryLimitBytes }),
    };
  }

  override get record(): RunProcesses {
    return { ...super.record, onDeath: this.#start.claim.onDeath };
  }

  /** Ends the engine client first: it forwards SIGTERM, so the server can end in an orderly way. Then removes the container. */
  override async end(graces: StopGraces): Promise<StopReport> {
    this.#forget();
    const report = await super.end(graces);
    const leftContainer = await this.#start.claim.end();
    return leftContainer === undefined ? report : { ...report, leftContainer };
  }

  hasLostEngine(): Promise<boolean> {
    return this.#endByEngine?.tells() ?? Promise.resolve(false);
  }

  protected override async explainEnd(exit: ExitStatus): Promise<HostedEnd> {
    // If the panel itself ended the run, no other reason has to be found.
    if (this.isEnding) return exit;
    if (await this.hasLostEngine()) return { ...exit, isEngineLost: true };
    const found = this.#find();
    if (!(await settlesWithin(this.#start.clock, found, REASON_LIMIT_MS))) return exit;
    const { isOutOfMemory, isRunning, memoryLimitBytes: limitBytes } = (await found)?.state ?? {};
    if (isRunning && exit.signal !== undefined) return { ...exit, isClientAlone: true };
    if (isOutOfMemory || (this.#wasOutOfMemory && exit.exitCode === KILLED_CODE))
      return { ...exit, outOfMemory: { ...(limitBytes !== undefined && { limitBytes }) } };
    return exit;
  }

  /** Searches for the container until it runs, then opens its figures. */
  async #search(): Promise<void> {
    const { claim, clock, onHost } = this.#start;
    const { signal } = this.#gone;
    while (!signal.aborted) {
      const found = await this.#find();
      if (found !== undefined && !signal.aborted) {
        const isNews = this.#found === undefined;
        this.#found = found;
        if (isNews) onHost();
        if (found.state.isRunning) return this.#open(await claim.openFigures(found));
      }
      await delay(clock, SEARCH_MS, signal);
    }
  }

  #open(figures: ContainerFigures | undefined): void {
    if (this.#gone.signal.aborted) figures?.dispose();
    else this.#figures = figures;
  }

  #forget(): void {
    this.#gone.abort();
    this.#figures?.dispose();
    this.#figures = undefined;
  }

  /** Finds the container; undefined also if the engine does not report it. */
  #find(): Promise<FoundContainer | undefined> {
    return this.#start.claim.find().catch(() => undefined);
  }
}

export interface LocalHostDeps extends OwnedProcessDeps {
  /** Removes the containers of ended runs. If undefined, only the engine client ends its container. */
  readonly containers?: Pick<ContainerCustody, 'claim'>;
}

/** Starts servers with commands of this machine: as processes, and in containers with the client of their engine. */
export class LocalHost implements ProcessHost {
  readonly #deps: LocalHostDeps;
  readonly #elsewhere: ProcessHost | undefined;

  /** @param elsewhere host of the servers that run on another engine */
  constructor(deps: LocalHostDeps, elsewhere?: ProcessHost) {
    this.#deps = deps;
    this.#elsewhere = elsewhere;
  }

  async start(start: HostedStart): Promise<HostedRun> {
    const { server, request, marker, onHost } = start;
    if (request.runOn && this.#elsewhere) return this.#elsewhere.start(start);
    const claim = await this.#deps.containers?.claim(server, request);
    if (claim === undefined) return OwnedProcess.spawn(this.#deps, request, marker);
    const { link, pulls } = claim;
    try {
      if (link && pulls !== undefined)
        await pullIfMissing({ ...this.#deps, ...claim.request, link, where: 'here' }, pulls, start);
      return await OwnedContainer.run(this.#deps, { claim, onHost }, marker);
    } catch (error) {
      await claim.drop();
      throw error;
    }
  }
}
