import { contextBridge, ipcRenderer, type IpcRendererEvent } from 'electron';
import { describeOddArgument } from '../shared/json-problem.ts';
import type { Reply } from '../shared/ipc-contract.ts';
import { callTexts, channelOf, pushNames, textNameOf, type Texts } from '../shared/ipc/names.ts';
import type { CallName, PushName } from '../shared/ipc/topics.ts';

// Complete API of the page: one named function per entry of the contract, without any of Electron's own objects.
const api = new Map<string, unknown>();
for (const [name, texts] of Object.entries(callTexts) as [CallName, Texts][]) {
  const ask = (...args: unknown[]) => request(name, args);
  const isText = texts === 'json';
  const asObject = async (...args: unknown[]) => JSON.parse((await ask(...args)) as string) as unknown;
  api.set(name, isText ? asObject : ask);
  if (isText) api.set(textNameOf(name), ask);
}
for (const name of Object.keys(pushNames) as PushName[]) {
  api.set(name, (listener: (payload: unknown) => void) => subscribe(name, listener));
}
contextBridge.exposeInMainWorld('controlPanel', Object.freeze(Object.fromEntries(api)));

async function request(name: CallName, args: readonly unknown[]): Promise<unknown> {
  const reply = await invoke(name, args);
  // A plain object, because an Error would lose its code on the way through the bridge.
  // eslint-disable-next-line @typescript-eslint/only-throw-error
  if (!reply.ok) throw reply.error;
  return reply.value;
}

async function invoke(name: CallName, args: readonly unknown[]): Promise<Reply<unknown>> {
  try {
    return (await ipcRenderer.invoke(channelOf(name), ...args)) as Reply<unknown>;
  } catch (error) {
    // The call reached no handler, because the panel is quitting or an argument cannot be cloned.
    const oddity = describeOddArgument(name, args);
    const code = oddity === undefined ? 'PROTOCOL_ERROR' : 'CONFIG_INVALID';
    return { ok: false, error: { code, message: oddity ?? String(error) } };
  }
}

/**
 * Subscribes to a push message and returns the function that unsubscribes. The listener gets only the payload, not Electron's
 * event, because the event has a `sender` through which the page could send messages of its own.
 */
function subscribe(name: PushName, listener: (payload: unknown) => void): () => void {
  const forward = (_event: IpcRendererEvent, payload: unknown) => listener(payload);
  ipcRenderer.on(channelOf(name), forward);
  return () => void ipcRenderer.removeListener(channelOf(name), forward);
}
