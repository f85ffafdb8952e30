import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Browser, type Page } from 'playwright-core';
import { replyFromBundle } from '../../electron/shell/app/bundle-files.ts';
import { inheritedEnvironment } from '../e2e/support/app-environment.ts';
import { killAll, processesOfTest, TEST_RUN_NAME, type MarkedProcess } from '../e2e/support/processes.ts';
import { waitUntil } from '../e2e/support/wait-until.ts';
import { writeHome } from '../support/homes.ts';
import { deliver, installBridge } from './bridge.ts';
import { startCore, type CoreProcess } from './core-process.ts';

/** Variable that names the browser. Set by `npm run test:chromium`, or by a person. */
const CHROMIUM_VARIABLE = 'MCP_CONTROL_PANEL_CHROMIUM';
export const chromiumPath = process.env[CHROMIUM_VARIABLE];

const out = join(import.meta.dirname, '../../out');
const WINDOW = { width: 1280, height: 800 };

export interface ChromiumPanel {
  readonly page: Page;
  readonly home: string;
  /** Version of the browser. */
  readonly version: string;
  /** Calls a function of `window.controlPanel`; rejects with the report of a call that was refused. */
  call<T = unknown>(name: string, ...args: unknown[]): Promise<T>;
  /** What went wrong in the page since the last look. */
  takeFaults(): string[];
  /** Brings everything in the window to that size, in percent. */
  zoomTo(percent: 100 | 200): Promise<void>;
  serverProcesses(): MarkedProcess[];
  /** Ends all of it. @throws when the core did not quit in order, or left a process of a server */
  end(): Promise<void>;
}

export interface ChromiumPanelOptions {
  readonly servers: Readonly<Record<string, unknown>>;
  /** Variables added to the environment of the core. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Opens the built renderer in Chromium, fed by a core of its own. */
export async function openChromiumPanel({ servers, env = {} }: ChromiumPanelOptions): Promise<ChromiumPanel> {
  for (const file of ['renderer/index.html', 'preload/preload.cjs'])
    if (!existsSync(join(out, file))) throw new Error(`out/${file} is not there: npm run build`);
  const id = randomUUID();
  const folder = mkdtempSync(join(tmpdir(), 'mcp-control-panel-chromium-'));
  // Panels of tests run side by side, and only one of them could have the port of a person's panel.
  const home = writeHome(join(folder, 'home'), servers, { gateway: { port: 0 } });
  const server = await servePage(join(out, 'renderer'));
  const browser = await launchChromium();
  const page = await browser.newPage({ viewport: WINDOW });
  const core = await startCore({
    home,
    env: coreEnvironment(home, { ...env, [TEST_RUN_NAME]: id }),
    onPush: inOrder((channel, payload) => deliver(page, channel, payload)),
  });
  const takeFaults = await collectFaults(page, server.origin);
  await installBridge(page, join(out, 'preload/preload.cjs'), (name, args) => core.call(name, args));
  await page.goto(`${server.origin}/index.html`);
  return {
    page,
    home,
    version: browser.version(),
    takeFaults,
    serverProcesses: () => processesOfTest(id).filter(({ isServer }) => isServer),
    call: <T>(name: string, ...args: unknown[]) => page.evaluate(callInPage, { name, args }) as Promise<T>,
    // Half the width and height in CSS pixels is what a page sees of a window that is zoomed to twice the size.
    zoomTo: (percent) =>
      page.setViewportSize({
        width: (WINDOW.width * 100) / percent,
        height: (WINDOW.height * 100) / percent,
      }),
    end: async () => {
      await browser.close();
      await server.close();
      await endCore(core, id).finally(() => rmSync(folder, { recursive: true, force: true }));
    },
  };
}

function launchChromium(): Promise<Browser> {
  const isRoot = process.getuid?.() === 0;
  return chromium.launch({
    ...(chromiumPath !== undefined && { executablePath: chromiumPath }),
    // Chromium refuses to run as root with its sandbox.
    chromiumSandbox: !isRoot,
    // A person's browser has scrollbars, which take room.
    ignoreDefaultArgs: ['--hide-scrollbars'],
    args: ['--disable-background-networking', '--disable-component-update', '--no-first-run'],
  });
}

function coreEnvironment(home: string, own: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  return { ...inheritedEnvironment(), MCP_CONTROL_PANEL_HOME: home, ...own };
}

/** Calls `send` with one payload after the other, because the page counts the pushes. */
function inOrder(send: (channel: string, payload: unknown) => Promise<void>): CoreOnPush {
  let last = Promise.resolve();
  return (channel, payload) => {
    last = last.then(() => send(channel, payload));
  };
}
type CoreOnPush = (channel: string, payload: unknown) => void;

/** A rejection is thrown as an error that says all, because Playwright would lose a plain object. */
async function callInPage({ name, args }: { name: string; args: unknown[] }): Promise<unknown> {
  const { controlPanel } = globalThis as unknown as {
    controlPanel: Record<string, (...values: unknown[]) => Promise<unknown>>;
  };
  try {
    return await controlPanel[name]?.(...args);
  } catch (rejected) {
    throw new Error(`${name}: ${JSON.stringify(rejected)}`);
  }
}

async function endCore(core: CoreProcess, id: string): Promise<void> {
  const code = await core.quit();
  const left = processesOfTest(id);
  killAll(left);
  await waitUntil('every process of the test to end', () => processesOfTest(id).length === 0);
  const survivors = left.filter(({ isServer }) => isServer).map(({ command }) => command);
  if (code !== 0) throw new Error(`the core ended with ${code}: ${core.stderr()}`);
  if (survivors.length > 0) throw new Error(`the core has quit, but these run on: ${survivors.join(', ')}`);
}

const TELL = 'controlPanelFault';

/** Tells what the browser itself would only write to its console, or nowhere. Text, because it runs in the page. */
const SCRIPT = `
  addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, sourceFile, lineNumber }) =>
    globalThis.${TELL}('policy: ' + [effectiveDirective, blockedURI, sourceFile, lineNumber].join(' ')));
  addEventListener('unhandledrejection', ({ reason }) =>
    globalThis.${TELL}('unhandled rejection: ' + (reason?.stack ?? JSON.stringify(reason) ?? String(reason))));
`;

/**
 * Collects what must not happen in a page of `origin`: errors and warnings on the console, errors that nobody caught,
 * violations of the policy, requests to elsewhere, requests without an answer. Returns how to take what was collected.
 */
async function collectFaults(page: Page, origin: string): Promise<() => string[]> {
  const faults: string[] = [];
  const add = (fault: string) => void faults.push(fault);
  await page.exposeBinding(TELL, (_source, fault: string) => add(fault));
  await page.addInitScript({ content: SCRIPT });
  page.on('console', (message) => {
    // Browsers ask every site for one; the window of the app does not.
    if (message.location().url === `${origin}/favicon.ico`) return;
    if (['error', 'warning'].includes(message.type())) add(`console ${message.type()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => add(`uncaught: ${error.stack ?? error.message}`));
  page.on('crash', () => add('the page crashed'));
  page.on('request', (request) => {
    if (!request.url().startsWith(`${origin}/`) && !/^(data|blob):/.test(request.url()))
      add(`request to elsewhere: ${request.url()}`);
  });
  page.on('response', (response) => {
    if (response.status() >= 400) add(`${response.status()}: ${response.url()}`);
  });
  return () => faults.splice(0);
}

interface PageServer {
  /** `http://127.0.0.1:PORT` */
  readonly origin: string;
  close(): Promise<void>;
}

/** Serves a built renderer on loopback with the answers of the app's own scheme: its files, its headers, its policy. */
async function servePage(rendererFolder: string): Promise<PageServer> {
  const server = createServer((request, response) => {
    const { method = 'GET', url = '/' } = request;
    const answer = replyFromBundle(rendererFolder, { method, url: `http://127.0.0.1${url}` });
    response.writeHead(answer.statusCode, answer.headers);
    response.end(answer.data);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
