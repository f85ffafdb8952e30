import { ipcMain, type BrowserWindow, type IpcMainInvokeEvent, type WebFrameMain } from 'electron';
import type { CallHandlers, PushPayload, PushSources } from '../../../shared/ipc-contract.ts';
import { callTexts, channelOf, pushNames } from '../../../shared/ipc/names.ts';
import { pushes, type CallName, type PushName } from '../../../shared/ipc/topics.ts';
import { dispatchCall, refusal } from './call-dispatcher.ts';
import type { PageOrigin } from '../app/page-origin.ts';

export interface IpcServerOptions {
  readonly handlers: CallHandlers;
  readonly origin: PageOrigin;
  /** The only window that is answered; undefined while there is none. */
  readonly window: () => BrowserWindow | undefined;
  /** An answer, good or bad, is on its way to the page. */
  readonly onAnswered: (name: CallName) => void;
  /** One line for the terminal. */
  readonly report: (line: string) => void;
}

/** The one place where main and page talk. Nothing else touches `ipcMain` or sends to a page. */
export class IpcServer {
  readonly #options: IpcServerOptions;
  #isDisposed = false;

  constructor(options: IpcServerOptions) {
    this.#options = options;
    for (const name of allCalls) this.#handle(name);
  }

  /** Sends every push of the contract to the page. Returns the undo. */
  forward(sources: PushSources): () => void {
    const undos = allPushes.map((name) => this.#forwardOne(name, sources));
    return () => undos.forEach((undo) => undo());
  }

  #forwardOne<N extends PushName>(name: N, sources: PushSources): () => void {
    return sources[name]((payload) => this.#push(name, payload));
  }

  /** Sends to the page, if there is one. What breaks the contract is reported and not sent. */
  #push<N extends PushName>(name: N, payload: PushPayload<N>): void {
    const window = this.#options.window();
    if (window === undefined || window.isDestroyed() || window.webContents.isCrashed()) return;
    const parsed = pushes[name].safeParse(payload);
    if (!parsed.success) {
      this.#options.report(
        `a push was dropped: ${parsed.error.issues[0]?.message ?? 'it does not keep the contract'}`,
      );
      return;
    }
    window.webContents.send(channelOf(name), parsed.data);
  }

  /**
   * Answers no call from now on but with a refusal. The handlers stay: a call may be under way from the page as it ends, and
   * without a handler Electron would print it as a fault of ours.
   */
  dispose(): void {
    this.#isDisposed = true;
  }

  #handle(name: CallName): void {
    const { handlers, onAnswered, report } = this.#options;
    ipcMain.handle(channelOf(name), async (event, ...args: unknown[]) => {
      if (this.#isDisposed) return refusal;
      if (this.#isOurPage(event))
        return dispatchCall(name, handlers, args, report).finally(() => onAnswered(name));
      report(`refused a call of ${name} from ${describeSender(event)}`);
      return refusal;
    });
  }

  /** Own window, main frame, own origin: a frame or a second window could be anyone's. */
  #isOurPage({ senderFrame }: IpcMainInvokeEvent): boolean {
    const window = this.#options.window();
    if (senderFrame === null || window === undefined || window.isDestroyed()) return false;
    return senderFrame === window.webContents.mainFrame && this.#options.origin.owns(addressOf(senderFrame));
  }
}

const allPushes = Object.keys(pushNames) as PushName[];
const allCalls = Object.keys(callTexts) as CallName[];

const describeSender = ({ senderFrame }: IpcMainInvokeEvent) =>
  senderFrame === null ? 'a frame that is gone' : `a page at ${addressOf(senderFrame) || 'no address'}`;

function addressOf(frame: WebFrameMain): string {
  try {
    return frame.url;
  } catch {
    return ''; // Newer Electrons throw once the frame is gone: it is nobody's then.
  }
}
