import { ipcMain, type BrowserWindow, type IpcMainInvokeEvent, type WebFrameMain } from 'electron';
import type { PushPayload, PushSources } from '../../../shared/ipc-contract.ts';
import { callTexts, channelOf, pushNames } from '../../../shared/ipc/names.ts';
import { pushes, type CallName, type PushName } from '../../../shared/ipc/topics.ts';
import { dispatchCall, refusal, type DispatchOptions } from './call-dispatcher.ts';
import type { PageOrigin } from '../app/page-origin.ts';

interface IpcServerOptions extends DispatchOptions {
  readonly origin: PageOrigin;
  /** Returns the only window whose calls are answered; undefined if there is none. */
  readonly window: () => BrowserWindow | undefined;
  /** Called when a reply, whether result or error, is on its way to the page. */
  readonly onAnswered: (name: CallName) => void;
}

/** The only channel between main process and page. No other module uses `ipcMain` or sends to a page. */
export class IpcServer {
  readonly #options: IpcServerOptions;
  #isDisposed = false;

  constructor(options: IpcServerOptions) {
    this.#options = options;
    for (const name of allCalls) this.#handle(name);
  }

  /** Sends every push of the contract to the page. Returns the unsubscribe function. */
  forward(sources: PushSources): () => void {
    const undos = allPushes.map((name) => this.#forwardOne(name, sources));
    return () => undos.forEach((undo) => undo());
  }

  #forwardOne<N extends PushName>(name: N, sources: PushSources): () => void {
    return sources[name]((payload) => this.#push(name, payload));
  }

  /** Sends a push to the page, if there is one. A payload that violates the contract is reported and not sent. */
  #push<N extends PushName>(name: N, payload: PushPayload<N>): void {
    const window = this.#options.window();
    if (window === undefined || window.isDestroyed() || window.webContents.isCrashed()) return;
    const parsed = pushes[name].safeParse(payload);
    if (!parsed.success) {
      this.#options.report(
        `a push was dropped: ${parsed.error.issues[0]?.message ?? 'it violates the contract'}`,
      );
      return;
    }
    window.webContents.send(channelOf(name), parsed.data);
  }

  /**
   * Refuses all calls from now on. The handlers are not removed, because a call may arrive from a closing page, and without a
   * handler Electron would print an error.
   */
  dispose(): void {
    this.#isDisposed = true;
  }

  #handle(name: CallName): void {
    const { onAnswered, report } = this.#options;
    ipcMain.handle(channelOf(name), async (event, ...args: unknown[]) => {
      if (this.#isDisposed) return refusal;
      if (this.#isOurPage(event))
        return dispatchCall(name, args, this.#options).finally(() => onAnswered(name));
      report(`refused a call of ${name} from ${describeSender(event)}`);
      return refusal;
    });
  }

  /**
   * True if the call comes from the main frame of the app's window, and that frame has the app's origin. Any other frame or
   * window may belong to somebody else.
   */
  #isOurPage({ senderFrame }: IpcMainInvokeEvent): boolean {
    const window = this.#options.window();
    if (senderFrame === null || window === undefined || window.isDestroyed()) return false;
    return senderFrame === window.webContents.mainFrame && this.#options.origin.owns(addressOf(senderFrame));
  }
}

const allPushes = Object.keys(pushNames) as PushName[];
const allCalls = Object.keys(callTexts) as CallName[];

const describeSender = ({ senderFrame }: IpcMainInvokeEvent) =>
  senderFrame === null ? 'a closed frame' : `a page at ${addressOf(senderFrame) || 'no address'}`;

function addressOf(frame: WebFrameMain): string {
  try {
    return frame.url;
  } catch {
    return ''; // Newer Electron versions throw if the frame has ended. An empty address makes the call count as foreign.
  }
}
