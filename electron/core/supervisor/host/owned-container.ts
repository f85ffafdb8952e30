import type { RunHost } from '../../../../shared/run-host.ts';
import type { StopGraces, StopReport } from '../../platform/hosted-run.ts';
import { OwnedProcess, type OwnedProcessDeps } from '../../platform/owned-process.ts';
import type { SpawnedChild } from '../../platform/spawner.ts';
import type { ContainerClaim } from '../custody/container-custody.ts';

/** A server in a container, with the client of its engine as the spawned child. */
export class OwnedContainer extends OwnedProcess {
  readonly #claim: ContainerClaim;

  private constructor(deps: OwnedProcessDeps, claim: ContainerClaim, child: SpawnedChild, marker: string) {
    super(deps, child, marker);
    this.#claim = claim;
  }

  /** Spawns the client. @throws PanelError as `Spawner` does */
  static async run(deps: OwnedProcessDeps, claim: ContainerClaim, marker: string): Promise<OwnedContainer> {
    return new OwnedContainer(deps, claim, await deps.spawner({ ...claim.request, marker }), marker);
  }

  override get host(): RunHost {
    return { kind: 'container' };
  }

  /** Ends the container after the engine client, because the client forwards SIGTERM, which lets the server end by itself. */
  override async end(graces: StopGraces): Promise<StopReport> {
    const report = await super.end(graces);
    const leftContainer = await this.#claim.end();
    return leftContainer === undefined ? report : { ...report, leftContainer };
  }
}
