import type { CallMinute } from '../../../../shared/call-figures.ts';
import type { OutputLine, Sample } from '../../../../shared/domain.ts';
import type { Answers } from '../../../../shared/ipc/call.ts';
import type { outputCalls } from '../../../../shared/ipc/topics/output.ts';
import type { SupervisorFactory } from '../supervisor-factory.ts';
import type { Fleet } from '../../supervisor/fleet.ts';
import type { CallBook } from '../../telemetry/calls/call-book.ts';
import type { ServerTelemetry } from '../../telemetry/server-telemetry.ts';
import type { PastSamples } from '../past-samples.ts';

export interface OutputTopicOptions {
  readonly fleet: Fleet;
  readonly supervisors: SupervisorFactory;
  readonly telemetry: ServerTelemetry;
  readonly calls: CallBook;
  /** The hour before this launch, which is brought back when it is first asked for. */
  readonly pastSamples: Pick<PastSamples, 'ensure'>;
}

/** What servers left behind them: lines of stderr, samples and calls. All of it throws PanelError SERVER_UNKNOWN. */
export class OutputTopic implements Answers<typeof outputCalls> {
  readonly #options: OutputTopicOptions;

  constructor(options: OutputTopicOptions) {
    this.#options = options;
  }

  /** Lines that the server wrote to stderr, with an id above `afterId`, oldest first. */
  since(name: string, afterId: number): readonly OutputLine[] {
    return this.#options.supervisors.output(this.#known(name), afterId);
  }

  /** The last lines of it that earlier launches left on disk, oldest first, with ids up to 0. */
  async earlier(name: string): Promise<readonly OutputLine[]> {
    return this.#options.supervisors.earlierOutput(this.#known(name));
  }

  /** Samples kept since then, oldest first. */
  async history(name: string, sinceEpochMs: number): Promise<readonly Sample[]> {
    await this.#options.pastSamples.ensure(this.#known(name));
    return this.#options.telemetry.history(this.#known(name), sinceEpochMs);
  }

  /** Minutes with calls since then, within the last hour, oldest first. */
  calls(name: string, sinceEpochMs: number): readonly CallMinute[] {
    return this.#options.calls.since(this.#known(name), sinceEpochMs);
  }

  #known(name: string): string {
    return this.#options.fleet.get(name).name;
  }
}
