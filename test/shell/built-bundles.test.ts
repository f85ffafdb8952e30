import { fork, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { callTexts } from '../../shared/ipc/names.ts';
import { waitUntil } from '../e2e/support/wait-until.ts';
import { readTypings } from '../fixtures/electron/read-typings.ts';
import { fixtureServer } from '../fixtures/fixture-server.ts';
import { skipWhen } from '../support/skip-on.ts';
import { sharedFolder } from '../support/temp-folder.ts';

const projectRoot = join(import.meta.dirname, '../..');
const bundle = (path: string) => join(projectRoot, 'out', path);
/** False before the first `npm test` or `npm run build` of a checkout: there is nothing to look at. */
const isBuilt = existsSync(bundle('main/main.cjs'));

/** The Node of the pinned Electron (45) has this major. The gate runs on it, other runs find it here. */
const NODE_MAJOR = 24;
const PINNED_NODE = join(
  projectRoot,
  `node_modules/node/bin/node${process.platform === 'win32' ? '.exe' : ''}`,
);

/** Reading the typings takes the compiler three seconds, and several times that on a busy machine. */
const TYPINGS_LIMIT_MS = 60_000;

interface Report {
  readonly node: string;
  /** What the typings of Electron do not name. */
  readonly unknown: readonly string[];
  readonly required: readonly string[];
  readonly exposed: Readonly<Record<string, readonly string[]>>;
}

interface Bundle {
  readonly child: ChildProcess;
  readonly called: ReadonlySet<string>;
  /** Waits until it has come so far, or has asked for what is not there. */
  reaches(what: string, isReached: () => boolean): Promise<unknown>;
  readonly stdout: () => string;
  /** Ends it. */
  report(): Promise<Report>;
}

describe(
  'the built bundles, on the Node and with the interfaces of the pinned Electron',
  skipWhen(!isBuilt, 'it looks at what the build makes, and nothing was built here'),
  () => {
    const folder = sharedFolder('mcp-control-panel-bundles-');
    const typings = join(folder, 'typings.json');

    beforeAll(
      () =>
        writeFileSync(
          typings,
          JSON.stringify(readTypings(join(projectRoot, 'node_modules/electron/electron.d.ts'))),
        ),
      TYPINGS_LIMIT_MS,
    );

    function load(file: string, args: readonly string[] = [], servers: object = {}): Bundle {
      const home = mkdtempSync(join(folder, 'home-'));
      writeFileSync(join(home, 'servers.json'), JSON.stringify({ mcpServers: servers }));
      const child = fork(bundle(file), args, {
        execPath: existsSync(PINNED_NODE) ? PINNED_NODE : process.execPath,
        execArgv: ['--require', join(projectRoot, 'test/fixtures/electron/from-typings.cjs')],
        cwd: projectRoot,
        env: { ...process.env, ELECTRON_TYPINGS: typings, MCP_CONTROL_PANEL_HOME: home },
        silent: true,
      });
      onTestFinished(() => void child.kill('SIGKILL'));
      const called = new Set<string>();
      let isAtOdds = false;
      let said = '';
      let complaint = '';
      let report: Report | undefined;
      child.stdout?.on('data', (part: Buffer) => (said += part.toString()));
      child.stderr?.on('data', (part: Buffer) => (complaint += part.toString()));
      child.on(
        'message',
        (message: { readonly called?: string; readonly unknown?: string; readonly report?: Report }) => {
          if (message.called !== undefined) called.add(message.called);
          isAtOdds ||= message.unknown !== undefined;
          report ??= message.report;
        },
      );
      return {
        child,
        called,
        stdout: () => said,
        reaches: (what, isReached) =>
          waitUntil(what, () => isReached() || isAtOdds || child.exitCode !== null),
        async report() {
          child.send('report');
          await waitUntil('the report', () => report !== undefined || child.exitCode !== null);
          if (report === undefined) throw new Error(`${file} ended:\n${complaint}`);
          return report;
        },
      };
    }

    it('come up to a window and its handlers, and ask Electron for nothing that it has not', async () => {
      const main = load('main/main.cjs');
      await main.reaches('the window and its calls', () =>
        ['App.whenReady', 'new BrowserWindow', 'IpcMain.handle'].every((path) => main.called.has(path)),
      );
      const { node, unknown } = await main.report();
      expect(Number.parseInt(node.slice(1), 10)).toBe(NODE_MAJOR);
      expect(unknown).toEqual([]);
    });

    it('run a server and stop it', async () => {
      const main = load('main/main.cjs', ['--hidden'], { one: fixtureServer() });
      await main.reaches('the server to run', () => / one running\b/.test(main.stdout()));
      main.child.kill('SIGTERM');
      await main.reaches('the server to stop', () => / one stopped\b/.test(main.stdout()));
      expect((await main.report()).unknown).toEqual([]);
    });

    it('bring an updater that loads', async () => {
      expect((await load('main/update-engine.cjs').report()).unknown).toEqual([]);
    });

    it('give the page its functions through a preload that needs nothing but Electron', async () => {
      const { exposed, required, unknown } = await load('preload/preload.cjs').report();
      expect(exposed['controlPanel']).toEqual(expect.arrayContaining(Object.keys(callTexts)));
      expect(required.filter((name) => name !== bundle('preload/preload.cjs'))).toEqual(['electron']);
      expect(unknown).toEqual([]);
    });
  },
);
