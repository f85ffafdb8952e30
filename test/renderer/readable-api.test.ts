import { describe, expect, it } from 'vitest';
import { readableApi } from '../../renderer/readable-api.ts';
import type { ControlPanelApi } from '../../shared/ipc-contract.ts';
import { callTexts } from '../../shared/ipc/names.ts';
import { calls, pushes } from '../../shared/ipc/topics.ts';

const SENT = { text: 'evil\u202egnp.exe' };
const SHOWN = { text: 'evil‹U+202E›gnp.exe' };

const names = Object.keys(calls);
type AnyApi = Readonly<Record<string, (...args: unknown[]) => unknown>>;

/** Bridge on which every call is carried out by `answer`, and every push comes at once. */
function readable(answer: () => Promise<unknown>): AnyApi {
  const push = (listener: (payload: unknown) => void) => (listener(SENT), 'undone');
  const bridge = {
    ...Object.fromEntries(names.map((name) => [name, answer])),
    ...Object.fromEntries(Object.keys(pushes).map((name) => [name, push])),
  };
  return readableApi(bridge as unknown as ControlPanelApi) as unknown as AnyApi;
}

describe('what comes into the page', () => {
  it('is readable, save the results of the calls that are declared raw', async () => {
    const api = readable(() => Promise.resolve(SENT));
    const raw = Object.entries(callTexts).filter(([, texts]) => texts === 'raw');
    expect(raw.map(([name]) => name).sort()).toEqual([
      'createClient',
      'exportAudit',
      'findBridge',
      'findClients',
      'findImports',
      'findInLog',
      'getAlerts',
      'getCallHistory',
      'getCallSeries',
      'getClientTools',
      'getContainerNeeds',
      'getEarlierOutput',
      'getEntry',
      'getHistory',
      'getLogContent',
      'getOffer',
      'getOfferTexts',
      'getOutput',
      'getPanelFigures',
      'getSeries',
      'getSets',
      'getSettings',
      'listMissing',
      'listPlainSecrets',
      'listSecrets',
      'moveBack',
      'moveServers',
      'moveToSecrets',
      'parseSnippet',
      'renewClient',
      'restoreServers',
      'signIn',
    ]);
    for (const [name, texts] of Object.entries(callTexts))
      if (texts !== 'json') expect(await api[name]?.(), name).toEqual(texts === 'raw' ? SENT : SHOWN);
  });

  it('is read from JSON where it crosses so, and stays as it is', async () => {
    const api = readable(() => Promise.resolve(JSON.stringify(SENT)));
    const inJson = Object.entries(callTexts).filter(([, texts]) => texts === 'json');
    expect(inJson.map(([name]) => name)).toEqual(['callServer', 'getLogPage']);
    expect(await api['callServer']?.()).toEqual(SENT);
  });

  it('is readable in every refusal, those of raw calls included', async () => {
    // Refusals come over the bridge as plain objects.
    const refuse = () =>
      Promise.resolve().then(() => {
        throw SENT as unknown as Error;
      });
    const api = readable(refuse);
    for (const name of names) await expect(api[name]?.(), name).rejects.toEqual(SHOWN);
  });

  it('is readable in every push', () => {
    const api = readable(() => Promise.resolve());
    for (const name of Object.keys(pushes)) {
      const heard: unknown[] = [];
      expect(
        api[name]?.((payload: unknown) => heard.push(payload)),
        name,
      ).toBe('undone');
      expect(heard, name).toEqual([SHOWN]);
    }
  });
});
