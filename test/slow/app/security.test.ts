import { statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { callTexts, textNameOf } from '../../../shared/ipc/names.ts';
import { calls, pushes } from '../../../shared/ipc/topics.ts';
import { usePanels, type DrivenPanel } from '../../e2e/harness.ts';
import { waitUntil } from '../../e2e/support/wait-until.ts';

// Numbers in the names are those of Electron's own security checklist.

const panels = usePanels('all');
let panel: DrivenPanel;

beforeAll(async () => {
  panel = await panels.launch({ servers: { quiet: { command: 'none', panel: { autoStart: false } } } });
});

/** Runs a script in the page as its own code would, and returns what it evaluates to. */
const inPage = <T = unknown>(script: string) => panel.page.evaluate<T>(script);
const pageUrl = () => panel.page.url();

/** Expects of the settings that each window really has; the value by default stands where one is not there. */
async function expectPreferences(expected: Readonly<Record<string, unknown>>): Promise<void> {
  const all = await panel.app.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows().map(({ webContents }) =>
      (
        webContents as unknown as { getLastWebPreferences(): Record<string, unknown> }
      ).getLastWebPreferences(),
    ),
  );
  expect(all.length).toBeGreaterThan(0);
  for (const settings of all) expect({ ...OFF_BY_DEFAULT, ...settings }).toMatchObject(expected);
}
const OFF_BY_DEFAULT = {
  nodeIntegrationInWorker: false,
  allowRunningInsecureContent: false,
  experimentalFeatures: false,
  enableBlinkFeatures: '',
  webviewTag: false,
};

/** Whether the page prevents an event of its own, with these arguments behind it. */
const isPrevented = (event: string, ...args: readonly object[]) =>
  panel.app.evaluate(
    ({ BrowserWindow }, [name, [first = {}, ...more]]) => {
      let isPrevented = false;
      const details = { ...first, preventDefault: () => (isPrevented = true) };
      BrowserWindow.getAllWindows()[0]?.webContents.emit(name, details, ...more);
      return isPrevented;
    },
    [event, args] as const,
  );

/** Does `action` in the page and tells which policy it broke, if any. */
const violationOf = (action: string) =>
  inPage<string>(`new Promise((resolve) => {
    const timer = setTimeout(() => resolve('nothing was forbidden'), 3000);
    addEventListener('securitypolicyviolation', (event) => {
      clearTimeout(timer);
      resolve(event.effectiveDirective);
    }, { once: true });
    ${action}
  })`);

/** Script that adds an element with these properties to the page, and calls a method of it. */
const added = (name: string, properties: object, method = 'toString') =>
  `document.body.appendChild(Object.assign(document.createElement('${name}'), ${JSON.stringify(properties)})).${method}();`;

/** Runs a script, waits long enough for a navigation to have begun, and tells whether the page has stayed. */
async function stayedAfter(script: string): Promise<boolean> {
  const before = pageUrl();
  await inPage(`(() => { globalThis.sameDocument = true; ${script}; })()`);
  await inPage('new Promise((resolve) => setTimeout(resolve, 500))');
  return pageUrl() === before && (await inPage('globalThis.sameDocument === true'));
}

describe('1. only secure content', () => {
  it('loads nothing but its own files, from the first request on', async () => {
    await panel.app.evaluate(({ session }) => {
      const urls: string[] = [];
      Object.assign(globalThis, { requestedUrls: urls });
      // Only the outcomes are watched: a second onBeforeRequest would replace the one under test.
      session.defaultSession.webRequest.onSendHeaders(({ url }) => void urls.push(url));
      session.defaultSession.webRequest.onErrorOccurred(({ url }) => void urls.push(url));
    });
    await panel.page.reload();
    const requested = await panel.app.evaluate(
      () => (globalThis as unknown as { requestedUrls: string[] }).requestedUrls,
    );
    expect(requested.length).toBeGreaterThan(0);
    expect(requested.filter((url) => !/^(app:\/\/bundle\/|devtools:|data:)/.test(url))).toEqual([]);
    const loaded = await inPage<string[]>(`performance.getEntriesByType('resource').map(({ name }) => name)`);
    expect(loaded.filter((url) => !url.startsWith('app://bundle/'))).toEqual([]);
  });

  it('denies a request to a network although the main process asks for it in the page', async () => {
    const outcome = await panel.app.evaluate(async ({ session }) => {
      return session.defaultSession.fetch('http://127.0.0.1:9/').then(
        () => 'answered',
        (error: unknown) => String(error),
      );
    });
    expect(outcome).toContain('ERR_BLOCKED_BY_CLIENT');
  });
});

describe('2. no Node in pages', () => {
  it('has neither require nor process nor anything of Electron', async () => {
    expect(
      await inPage(
        `[typeof require, typeof process, typeof module, typeof electron, typeof ipcRenderer].join()`,
      ),
    ).toBe('undefined,undefined,undefined,undefined,undefined');
  });

  it('has it switched off everywhere', async () => {
    await expectPreferences({
      nodeIntegration: false,
      nodeIntegrationInSubFrames: false,
      nodeIntegrationInWorker: false,
    });
  });
});

describe('3. context isolation', () => {
  it('is on', async () => {
    await expectPreferences({ contextIsolation: true });
  });

  it('keeps a page that replaces built-ins out of what the preload sends', async () => {
    const result = await inPage<unknown>(`(async () => {
      const { push } = Array.prototype;
      const { freeze, keys } = Object;
      const seen = [];
      Array.prototype.push = function (...values) { seen.push = 1; return push.apply(this, ['forged', ...values]); };
      Array.prototype[Symbol.iterator] = new Proxy(Array.prototype[Symbol.iterator], {});
      Promise.prototype.then = new Proxy(Promise.prototype.then, {});
      try {
        await controlPanel.startServer('quiet');
        return 'started';
      } catch (error) {
        return error;
      } finally {
        Array.prototype.push = push;
      }
    })()`);
    expect(result).toMatchObject({ code: 'COMMAND_NOT_FOUND' });
    await panel.page.reload();
  });
});

describe('4. sandbox', () => {
  it('is on for every page', async () => {
    await expectPreferences({ sandbox: true });
  });

  it('is wanted by the app itself wherever it can be had', async () => {
    const isRoot = process.getuid?.() === 0;
    const hasSwitch = await panel.app.evaluate(({ app }) => app.commandLine.hasSwitch('no-sandbox'));
    expect(hasSwitch).toBe(process.platform === 'linux' && isRoot);
  });
});

describe('5. permissions', () => {
  it('are denied when asked about', async () => {
    const names = ['camera', 'microphone', 'geolocation', 'notifications', 'clipboard-read', 'midi'];
    const states = await inPage<string[]>(
      `Promise.all(${JSON.stringify(names)}.map((name) => navigator.permissions.query({ name }).then(({ state }) => state)))`,
    );
    expect(states).toEqual(names.map(() => 'denied'));
  });

  it.each([
    ['camera and microphone', `navigator.mediaDevices.getUserMedia({ audio: true, video: true })`],
    ['screen', `navigator.mediaDevices.getDisplayMedia({ video: true })`],
    ['place', `new Promise((resolve, reject) => navigator.geolocation.getCurrentPosition(resolve, reject))`],
    ['clipboard', `navigator.clipboard.readText()`],
    ['MIDI devices', `navigator.requestMIDIAccess({ sysex: true })`],
  ])('are denied when used: %s', async (_what, script) => {
    const outcome = await inPage<string>(`${script}.then(() => 'granted', () => 'denied')`);
    expect(outcome).toBe('denied');
  });

  it('are denied for notifications and devices', async () => {
    expect(await inPage('Notification.requestPermission()')).toBe('denied');
    expect(await inPage(`navigator.hid ? navigator.hid.getDevices().then(({ length }) => length) : 0`)).toBe(
      0,
    );
  });
});

describe('6. web security', () => {
  it('is on', async () => {
    await expectPreferences({ webSecurity: true });
  });

  it('stops a request to another origin before it leaves', async () => {
    expect(await violationOf(`fetch('https://127.0.0.1:1').catch(() => 0);`)).toBe('connect-src');
    expect(await violationOf(`new WebSocket('ws://127.0.0.1:1');`)).toBe('connect-src');
  });
});

describe('7. content security policy', () => {
  it('comes with the page, strict and with a nonce that changes', async () => {
    const ask = () =>
      inPage<string>(`fetch(location.href).then(({ headers }) => headers.get('content-security-policy'))`);
    const [policy, another] = [await ask(), await ask()];
    expect(policy).toMatch(
      /^default-src 'none'; script-src 'self' 'nonce-[^']+'; style-src 'self' 'nonce-[^']+'; img-src 'self' data:; font-src 'self'; connect-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
    );
    expect(another).not.toBe(policy);
    expect(await inPage(`document.querySelector('meta[name=csp-nonce]').content`)).not.toBe('__CSP_NONCE__');
  });

  it('forbids eval', async () => {
    // The timer runs as the page's own code because what a driver evaluates is exempt.
    expect(await violationOf(`setTimeout("globalThis.evaluated = true");`)).toBe('script-src');
    expect(await inPage('globalThis.evaluated')).toBeUndefined();
  });

  it.each([
    ['an injected script', 'script-src-elem', added('script', { textContent: 'globalThis.ran = true' })],
    ['a script from elsewhere', 'script-src-elem', added('script', { src: 'https://example.com/x.js' })],
    [
      'an event attribute',
      'script-src-attr',
      `document.body.insertAdjacentHTML('beforeend', '<img src="data:," onerror="globalThis.ran = true">');`,
    ],
    ['a script URL', 'script-src-elem', added('a', { href: 'javascript:globalThis.ran = true' }, 'click')],
    ['an injected style', 'style-src-elem', added('style', { textContent: 'body { color: red }' })],
    [
      'a style attribute',
      'style-src-attr',
      `document.body.insertAdjacentHTML('beforeend', '<i style="color: red"></i>');`,
    ],
    ['a picture from elsewhere', 'img-src', `new Image().src = 'https://example.com/x.png';`],
    ['a frame', 'frame-src', added('iframe', { src: 'https://example.com/' })],
    ['a plug-in', 'object-src', added('object', { data: 'data:text/html,x' })],
    ['another base address', 'base-uri', added('base', { href: 'https://example.com/' })],
    ['a form', 'form-action', added('form', { action: 'https://example.com/' }, 'submit')],
    [
      'a worker from a text',
      'worker-src',
      `try { new Worker(URL.createObjectURL(new Blob(['']))); } catch { /* forbidden */ }`,
    ],
  ])('forbids %s', async (_what, directive, action) => {
    expect(await violationOf(action)).toBe(directive);
    expect(await inPage('globalThis.ran')).toBeUndefined();
  });

  it('is kept by the page itself, on the overview and on a page with charts', async () => {
    const broken: string[] = [];
    panel.page.on('console', (message) => {
      if (message.text().includes('Content Security Policy')) broken.push(message.text());
    });
    await panel.page.reload();
    await waitUntil('the page to be drawn', () => inPage<boolean>(`document.body.innerText.trim() !== ''`));
    await inPage(`void (location.hash = '#/servers/quiet')`);
    await panel.page.getByLabel('Memory of quiet').waitFor();
    await inPage(`void (location.hash = '')`);
    expect(broken).toEqual([]);
  });
});

describe('8 to 10. no weakened engine', () => {
  it('allows no insecure content and no experiments', async () => {
    await expectPreferences({
      allowRunningInsecureContent: false,
      experimentalFeatures: false,
      enableBlinkFeatures: '',
    });
  });
});

describe('11 and 12. no webviews', () => {
  it('attaches none', async () => {
    await expectPreferences({ webviewTag: false });
    // Where the tag is on, Electron defines the element, with what loads a page into it.
    const isKnown = await inPage<boolean>(
      `customElements.get('webview') !== undefined || 'loadURL' in document.createElement('webview')`,
    );
    expect(isKnown).toBe(false);
  });

  it('would refuse one even if the tag were there', async () => {
    expect(await isPrevented('will-attach-webview', {}, {}, {})).toBe(true);
  });
});

describe('13. navigation', () => {
  it.each([
    ['an address', `location.href = 'https://example.com/'`],
    ['a file', `location.href = 'file:///etc/passwd'`],
    ['a data page', `location.href = 'data:text/html,<p>x'`],
    ['another host of our scheme', `location.href = 'app://evil/index.html'`],
    ['a link', added('a', { href: 'https://example.com/' }, 'click')],
    ['a refresh', added('meta', { httpEquiv: 'refresh', content: '0;url=https://example.com/' })],
    ['a dropped file', `location.assign('file:///tmp/dropped.html')`],
  ])('goes nowhere by %s', async (_what, script) => {
    expect(await stayedAfter(script)).toBe(true);
  });

  it.each([
    ['follows no redirect to another origin', 'will-redirect'],
    ['lets no frame in the page go elsewhere either', 'will-frame-navigate'],
  ])('%s', async (_what, event) => {
    expect(await isPrevented(event, { url: 'https://example.com/' })).toBe(true);
  });
});

describe('14. new windows', () => {
  it.each(['https://example.com/', 'about:blank', 'app://bundle/index.html', ''])(
    'opens none for %j',
    async (url) => {
      expect(await inPage(`window.open(${JSON.stringify(url)}) === null`)).toBe(true);
      expect(await panel.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(1);
    },
  );
});

describe('17. senders and arguments of IPC', () => {
  /** Opens a page of our own origin, with our preload, in a window that is not ours, and calls from there. */
  const callFromSecondWindow = () =>
    panel.app.evaluate(async ({ app, BrowserWindow }) => {
      const own = BrowserWindow.getAllWindows()[0];
      const preload = `${app.getAppPath()}/out/preload/preload.cjs`;
      const other = new BrowserWindow({ show: false, webPreferences: { preload, sandbox: true } });
      await other.loadURL(own?.webContents.getURL() ?? '');
      const script = `controlPanel.getSnapshot().then(() => 'answered', (error) => error)`;
      const outcome: unknown = await other.webContents.executeJavaScript(script);
      other.destroy();
      return outcome;
    });

  it('refuses a second window, although it shows our page', async () => {
    expect(await callFromSecondWindow()).toEqual({
      code: 'PROTOCOL_ERROR',
      message: 'this page may not call the control panel',
    });
    await waitUntil('a line on stderr', () =>
      panel.stderr().some((line) => line.startsWith('refused a call of getSnapshot')),
    );
  });

  it('gives frames nothing to call with', async () => {
    const type = await inPage<string>(`new Promise((resolve) => {
      const frame = document.createElement('iframe');
      frame.srcdoc = '<p>guest</p>';
      frame.onload = () => resolve(typeof frame.contentWindow.controlPanel);
      document.body.append(frame);
    })`);
    expect(type).toBe('undefined');
  });

  it.each(['a frame of our window', 'a closed frame', 'our window at another address'])(
    'refuses %s',
    async (sender) => {
      const reply = await panel.app.evaluate(async ({ BrowserWindow, ipcMain }, kind) => {
        const handlers = (
          ipcMain as unknown as {
            _invokeHandlers: Map<string, (event: unknown, ...args: unknown[]) => Promise<unknown>>;
          }
        )._invokeHandlers;
        const main = BrowserWindow.getAllWindows()[0]?.webContents.mainFrame;
        const senders: Record<string, unknown> = {
          'a frame of our window': main?.frames[0],
          'a closed frame': null,
          'our window at another address': { url: 'app://bundle/index.html' },
        };
        if (senders[kind] === undefined) return 'there is no such sender';
        return handlers.get('control-panel:getSnapshot')?.({ senderFrame: senders[kind] });
      }, sender);
      expect(reply).toMatchObject({ ok: false, error: { code: 'PROTOCOL_ERROR' } });
    },
  );

  it.each<[string, string]>([
    ['startServer()', 'CONFIG_INVALID'],
    ['startServer(undefined)', 'CONFIG_INVALID'],
    ['startServer(null)', 'CONFIG_INVALID'],
    ['startServer(5)', 'CONFIG_INVALID'],
    ['startServer(NaN)', 'CONFIG_INVALID'],
    ['startServer(true)', 'CONFIG_INVALID'],
    ['startServer([])', 'CONFIG_INVALID'],
    ['startServer(["quiet"])', 'CONFIG_INVALID'],
    ['startServer({ name: "quiet" })', 'CONFIG_INVALID'],
    ['startServer({ toString: 1 })', 'CONFIG_INVALID'],
    ['startServer("")', 'SERVER_UNKNOWN'],
    ['startServer("../../etc/passwd")', 'SERVER_UNKNOWN'],
    ['startServer("a".repeat(1e6))', 'CONFIG_INVALID'],
    ['startServer("quiet", "more")', 'CONFIG_INVALID'],
    ['startServer("__proto__")', 'SERVER_UNKNOWN'],
    ['startServer("constructor")', 'SERVER_UNKNOWN'],
    ['stopServer("nobody")', 'SERVER_UNKNOWN'],
    ['getSnapshot("extra")', 'CONFIG_INVALID'],
    ['getHistory("quiet")', 'CONFIG_INVALID'],
    ['getHistory("quiet", -1)', 'CONFIG_INVALID'],
    ['getHistory("quiet", "0")', 'CONFIG_INVALID'],
    ['getHistory("quiet", NaN)', 'CONFIG_INVALID'],
    ['putServer("quiet")', 'CONFIG_INVALID'],
    ['putServer({})', 'CONFIG_INVALID'],
    ['putServer({ name: "new" })', 'CONFIG_INVALID'],
    ['putServer({ name: "new", command: 5 })', 'CONFIG_INVALID'],
    ['putServer({ name: "new", command: "x", args: "y" })', 'CONFIG_INVALID'],
    ['putServer({ name: "new", command: "x", env: { A: 1 } })', 'CONFIG_INVALID'],
    ['putServer({ name: "new", url: "file:///etc/passwd" })', 'CONFIG_INVALID'],
    [
      'putServer(JSON.parse(`{ "__proto__": { "polluted": true }, "name": "../x", "command": "x" }`))',
      'CONFIG_INVALID',
    ],
    ['removeServer(0)', 'CONFIG_INVALID'],
    ['removeServer(Symbol.iterator.toString())', 'SERVER_UNKNOWN'],
  ])('answers the malformed %s with %s', async (call, code) => {
    const rejection = await inPage<{ code: string; message: string; data?: Record<string, string> }>(
      `controlPanel.${call}.then(() => 'accepted', (error) => error)`,
    );
    const { data = {}, ...told } = rejection;
    expect(rejection).toMatchObject({ code, message: expect.stringMatching(/.+/) as string });
    expect(Object.keys(told).filter((key) => !['code', 'message', 'remedy'].includes(key))).toEqual([]);
    // Data tells where in the entry something is wrong, and what.
    expect(Object.keys(data).filter((key) => !['field', 'statement'].includes(key))).toEqual([]);
    expect(JSON.stringify(rejection).length).toBeLessThan(1500);
    expect(rejection.message.length).toBeLessThan(500);
  });

  it('never threw in the main process while at it', () => {
    expect(panel.stderr().filter((line) => /^unexpected:|failed unexpectedly/.test(line))).toEqual([]);
  });
});

describe('18. own protocol', () => {
  it('serves the page, not file:', () => {
    expect(new URL(pageUrl()).protocol).toBe('app:');
    expect(pageUrl()).toMatch(/^app:\/\/bundle\//);
  });

  it.each([
    'app://bundle/../../../../etc/passwd',
    'app://bundle/%2e%2e%2f%2e%2e%2f%2e%2e%2fetc%2fpasswd',
    'app://bundle/..%2f..%2f..%2fpackage.json',
    'app://bundle/..%5c..%5cpackage.json',
    'app://bundle/assets/..%2f..%2fmain%2fmain.cjs',
    'app://bundle/%252e%252e%252fmain%252fmain.cjs',
    'app://bundle//etc/passwd',
    'app://bundle/%2fetc%2fpasswd',
    'app://bundle/proc/self/environ',
    'app://bundle/missing.js',
  ])('has nothing at %s', async (url) => {
    expect(await inPage(`fetch(${JSON.stringify(url)}).then(({ status }) => status)`)).toBe(404);
  });

  it('says of every file what it is, and forbids guessing', async () => {
    const headers = await inPage<Record<string, string>>(
      `fetch(location.href).then(({ headers }) => Object.fromEntries(headers))`,
    );
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'x-content-type-options': 'nosniff',
    });
  });
});

describe('20. the bridge', () => {
  it('holds exactly the documented functions, and cannot be changed', async () => {
    const asText = Object.entries(callTexts).flatMap(([name, texts]) =>
      texts === 'json' ? [textNameOf(name)] : [],
    );
    const documented = [...Object.keys(calls), ...Object.keys(pushes), ...asText].sort();
    expect(documented).toContain('getSnapshot');
    expect(await inPage('Object.keys(controlPanel).sort()')).toEqual(documented);
    expect(await inPage(`Object.values(controlPanel).every((value) => typeof value === 'function')`)).toBe(
      true,
    );
    expect(
      await inPage(`(() => {
        const { getSnapshot } = controlPanel;
        try { controlPanel.getSnapshot = () => 'forged'; } catch { /* frozen */ }
        try { globalThis.controlPanel = {}; } catch { /* read-only */ }
        return controlPanel.getSnapshot === getSnapshot && !('forged' in controlPanel);
      })()`),
    ).toBe(true);
  });

  it('hands listeners the payload alone', async () => {
    const received = await inPage<{ count: number; keys: string[] }>(`new Promise((resolve) => {
      const undo = controlPanel.onPush((...values) => {
        undo();
        resolve({ count: values.length, keys: Object.keys(values[0]) });
      });
      controlPanel.startServer('quiet').catch(() => 0);
    })`);
    expect(received.count).toBe(1);
    expect(received.keys).toContain('sequence');
    expect(received.keys).not.toContain('sender');
  });

  it('stays small: no schema library is parsed at each load', () => {
    const { size } = statSync(join(import.meta.dirname, '../../../out/preload/preload.cjs'));
    expect(size).toBeLessThan(8192);
  });
});
