import { contextBridge, ipcRenderer, type IpcRendererEvent } from 'electron';
import { describeOddArgument } from '../shared/json-problem.ts';
import { channelOf, type CallName, type PushName, type Reply } from '../shared/ipc-contract.ts';

// The contract's own keys, which the compiler holds equal to it. Reading them from the contract at run time
// would bring its schemas along, and with them 200 kB that every load of the page has to parse first.
const callNames: Record<CallName, true> = {
  getSnapshot: true,
  startServer: true,
  stopServer: true,
  restartServer: true,
  putServer: true,
  removeServer: true,
  getHistory: true,
  getOutput: true,
  getEarlierOutput: true,
  disputeVerdict: true,
  setLimits: true,
  setHealth: true,
  getEntry: true,
  setEnabled: true,
  parseSnippet: true,
  findImports: true,
  testConnection: true,
  getPanelFigures: true,
  getSettings: true,
  putSettings: true,
  getSessions: true,
  evictSession: true,
  setSharing: true,
  getOffer: true,
  callServer: true,
  cancelCall: true,
  getUpdateState: true,
  takeUpdateStep: true,
};
const pushNames: Record<PushName, true> = { onPush: true, onCallProgress: true };

// The page's whole reach: one named function per entry of the contract, and nothing of Electron.
const api: Record<string, unknown> = {};
for (const name of Object.keys(callNames) as CallName[]) {
  api[name] = (...args: unknown[]) => request(name, args);
}
for (const name of Object.keys(pushNames) as PushName[]) {
  api[name] = (listener: (payload: unknown) => void) => subscribe(name, listener);
}
contextBridge.exposeInMainWorld('controlPanel', Object.freeze(api));

async function request(name: CallName, args: readonly unknown[]): Promise<unknown> {
  const reply = await invoke(name, args);
  // A plain object, for an Error would lose its code on the way through the bridge.
  // eslint-disable-next-line @typescript-eslint/only-throw-error
  if (!reply.ok) throw reply.error;
  return reply.value;
}

async function invoke(name: CallName, args: readonly unknown[]): Promise<Reply<unknown>> {
  try {
    return (await ipcRenderer.invoke(channelOf(name), ...args)) as Reply<unknown>;
  } catch (error) {
    // The call never reached a handler: the panel is quitting, or an argument cannot be sent at all.
    const oddity = describeOddArgument(name, args);
    const code = oddity === undefined ? 'PROTOCOL_ERROR' : 'CONFIG_INVALID';
    return { ok: false, error: { code, message: oddity ?? String(error) } };
  }
}

/** Returns the undo. The listener gets the payload alone: the event would hand it a way to send. */
function subscribe(name: PushName, listener: (payload: unknown) => void): () => void {
  const forward = (_event: IpcRendererEvent, payload: unknown) => listener(payload);
  ipcRenderer.on(channelOf(name), forward);
  return () => void ipcRenderer.removeListener(channelOf(name), forward);
}
