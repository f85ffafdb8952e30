import { PanelError } from '../../../../shared/error-codes.ts';
import type { GatewayStatus } from '../../../../shared/gateway.ts';
import { serverAddress } from '../../../../shared/gateway-use.ts';
import type { CallAnswers } from '../../../../shared/ipc/call.ts';
import type { Move, programsCalls, Restore } from '../../../../shared/ipc/topics/programs.ts';
import type { Disposable } from '../../clock.ts';
import type { ClientMover, ClientMoverOptions } from '../../config/moving/client-mover.ts';

interface ProgramsTopicOptions extends Omit<ClientMoverOptions, 'addressOf'> {
  readonly gateway: () => GatewayStatus;
  /** Receives one sentence for the user. */
  readonly notice: (line: string) => void;
}

/** Servers of other programs, on their way to the panel and back. */
export class ProgramsTopic implements CallAnswers<typeof programsCalls> {
  readonly #options: ProgramsTopicOptions;
  #mover: Promise<ClientMover> | undefined;
  #watch: Disposable | undefined;
  #isDisposed = false;

  constructor(options: ProgramsTopicOptions) {
    this.#options = options;
  }

  /** The programs on this machine and their servers. @throws CONFIG_BROKEN for moved.json */
  async find() {
    return (await this.#ready()).find();
  }

  /** The servers that programs start by themselves. @throws CONFIG_BROKEN for moved.json */
  async started() {
    return (await this.#ready()).started();
  }

  /** Shows a move, or makes it. @throws PORT_UNAVAILABLE while nothing listens; as `ClientMover.move` */
  async move({ client, servers, commit, partly }: Move) {
    const { isListening, error } = this.#options.gateway();
    if (!isListening)
      throw new PanelError('PORT_UNAVAILABLE', error?.message ?? 'The endpoint for clients is off.', {
        remedy: 'Switch it on in the settings first, so that the program finds its servers.',
      });
    const moved = await (await this.#ready()).move(client, servers, commit, partly);
    if (commit !== undefined) await this.watch();
    return moved;
  }

  /** Puts back what was moved. @throws CONFIG_BROKEN for moved.json */
  async restore(filter: Restore) {
    return (await this.#ready()).restore(filter);
  }

  /** Finds the bridge; undefined where there is none that lasts. */
  async findBridge() {
    return this.#options.bridge?.();
  }

  /** Watches the files with entries of ours, once there are any. Never rejects. */
  async watch(): Promise<void> {
    const { clock, moved, notice } = this.#options;
    const entries = await moved.read().catch((error: unknown) => notice(String(error)));
    if (this.#watch !== undefined || entries === undefined || entries.length === 0) return;
    const { watchForLost } = await import('../../config/moving/lost-watch.ts');
    if (this.#isDisposed) return;
    this.#watch ??= watchForLost({
      moved,
      clock,
      onLost: ({ name, path }, label) =>
        notice(
          `${label}: ${name} does not lead to the panel any more: ${path} was written by another program`,
        ),
    });
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#watch?.dispose();
  }

  /** The parsers of TOML and YAML are loaded on demand, because every start would pay for them. */
  #ready(): Promise<ClientMover> {
    this.#mover ??= import('../../config/moving/client-mover.ts').then(
      ({ ClientMover: Mover }) =>
        new Mover({
          ...this.#options,
          addressOf: (server) => serverAddress(this.#options.gateway().url, server),
        }),
    );
    return this.#mover;
  }
}
