import type { HostedRun, HostedStart, ProcessHost } from '../../platform/hosted-run.ts';
import { OwnedProcess, type OwnedProcessDeps } from '../../platform/owned-process.ts';
import type { ContainerCustody } from '../custody/container-custody.ts';
import { OwnedContainer } from './owned-container.ts';
import { pullIfMissing } from './pull-image.ts';

export interface LocalHostDeps extends OwnedProcessDeps {
  /** Custody that ends the containers of runs; if undefined, the engine client has to end them. */
  readonly containers?: Pick<ContainerCustody, 'claim'>;
}

/** Starts servers with commands of this machine: as processes, and in containers by the client of their engine. */
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
