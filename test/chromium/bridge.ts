import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import type { Reply } from '../../shared/ipc-contract.ts';
import { callTexts, channelOf } from '../../shared/ipc/names.ts';
import type { CallName } from '../../shared/ipc/topics.ts';

const INVOKE = 'controlPanelInvoke';
const DELIVER = 'controlPanelDeliver';

/** Names by channel, for what the preload invokes. */
const names = new Map((Object.keys(callTexts) as CallName[]).map((name) => [channelOf(name), name]));

/** Stands for the part of Electron that the preload uses: text, because it runs in the page. */
const ELECTRON = `(() => {
  const listeners = new Map();
  globalThis.${DELIVER} = (channel, payload) => {
    for (const listener of [...(listeners.get(channel) ?? [])]) listener({}, payload);
  };
  return {
    contextBridge: { exposeInMainWorld: (name, api) => { globalThis[name] = api; } },
    ipcRenderer: {
      invoke: (channel, ...args) => globalThis.${INVOKE}(channel, args),
      on: (channel, listener) => listeners.set(channel, (listeners.get(channel) ?? new Set()).add(listener)),
      removeListener: (channel, listener) => listeners.get(channel)?.delete(listener),
    },
  };
})()`;

/** Answers a call of the page. */
type Answer = (name: CallName, args: readonly unknown[]) => Promise<Reply<unknown>>;

/**
 * Gives the pages of a tab the built preload, with the calls answered by `answer`. Of Electron there is only what carries
 * messages; a policy for scripts does not concern it, as it does not concern a preload.
 */
export async function installBridge(page: Page, preloadPath: string, answer: Answer): Promise<void> {
  await page.exposeBinding(INVOKE, (_source, channel: string, args: unknown[]) => {
    const name = names.get(channel);
    if (name === undefined) throw new Error(`no call has the channel ${channel}`);
    return answer(name, args);
  });
  const preload = readFileSync(preloadPath, 'utf8');
  await page.addInitScript({
    content: `((electron) => ((require, exports) => { ${preload}\n })(() => electron, {}))(${ELECTRON});`,
  });
}

/** Hands a push to the listeners of the page. One that goes while a page loads is missed, as in the app. */
export async function deliver(page: Page, channel: string, payload: unknown): Promise<void> {
  const call = ([deliverName, ...args]: readonly unknown[]) => {
    const functions = globalThis as unknown as Record<string, ((...values: unknown[]) => void) | undefined>;
    functions[String(deliverName)]?.(...args);
  };
  await page.evaluate(call, [DELIVER, channel, payload]).catch((error: unknown) => {
    if (!/closed|navigat|destroyed/i.test(String(error))) throw error;
  });
}
