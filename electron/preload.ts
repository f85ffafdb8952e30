import { contextBridge, ipcRenderer, type IpcRendererEvent } from 'electron';
import { describeOddArgument } from '../shared/json-problem.ts';
import type { Reply } from '../shared/ipc-contract.ts';
import { callTexts, channelOf, pushNames } from '../shared/ipc/names.ts';
import type { CallName, PushName } from '../shared/ipc/topics.ts';

// Complete API of the page: one named function per entry of the contract, and none of Electron's own objects.
const api: Record<string, unknown> = {};
for (const name of Object.keys(callTexts) as CallName[]) {
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
    // The call reached no handler: the panel is quitting, or an argument cannot be cloned.
    const oddity = describeOddArgument(name, args);
    const code = oddity === undefined ? 'PROTOCOL_ERROR' : 'CONFIG_INVALID';
    return { ok: false, error: { code, message: oddity ?? String(error) } };
  }
}

/** Returns the unsubscribe function. The listener gets only the payload, because the event has a `sender` to send with. */
function subscribe(name: PushName, listener: (payload: unknown) => void): () => void {
  const forward = (_event: IpcRendererEvent, payload: unknown) => listener(payload);
  ipcRenderer.on(channelOf(name), forward);
  return () => void ipcRenderer.removeListener(channelOf(name), forward);
}
