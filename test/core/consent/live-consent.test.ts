import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createPanel, type ControlPanel } from '../../../electron/core/panel/control-panel.ts';
import type { ServerView } from '../../../shared/domain.ts';
import { fixtureServer, readStarts, waitUntil } from '../../fixtures/fixture-server.ts';
import { isAlive } from '../../support/proc.ts';
import { skipOn } from '../../support/skip-on.ts';
import { BRIDGE } from '../bridge/bridge-process.ts';
import { panelOptions } from '../panel/open-test-panel.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const PATIENT = 120_000;
const HEADLESS = join(import.meta.dirname, '../../../electron/core/headless.ts');
const posix = { timeout: PATIENT, ...skipOn('win32', 'scripts and links of POSIX') };

type Entries = Readonly<Record<string, object>>;

/** A home whose panel asks, and which other programs write to. */
class AskingHome {
  readonly home = tempFolder('consent-');
  readonly notices: string[] = [];
  panel!: ControlPanel;
  #isOpen = false;

  /** Evidence that something ran that nobody agreed to: each change of the table leaves it. */
  get evidence(): string[] {
    return ['ran', 'sub/here'].filter((path) => existsSync(join(this.home, path)));
  }

  get path(): string {
    return join(this.home, 'servers.json');
  }

  /** Starts of the server in the definition that was agreed to. */
  get starts(): number[] {
    return readStarts(join(this.home, 'here'));
  }

  /** A server that notes its starts in its folder. */
  entry(...flags: string[]) {
    return { ...fixtureServer('--start-log=here', ...flags), cwd: this.home };
  }

  /** Writes the file as another program does, by a rename over it. */
  edit(mcpServers: Entries): void {
    writeFileSync(`${this.path}.new`, JSON.stringify({ mcpServers }));
    renameSync(`${this.path}.new`, this.path);
  }

  async open(): Promise<void> {
    writeFileSync(join(this.home, 'settings.json'), JSON.stringify({ gateway: { enabled: false } }));
    this.panel = await createPanel({ ...panelOptions(this.home), consent: 'ask' });
    this.panel.onNotice((line) => this.notices.push(line));
    this.#isOpen = true;
    this.panel.start();
  }

  async close(): Promise<void> {
    if (this.#isOpen) await this.panel.dispose();
    this.#isOpen = false;
  }

  view(name = 'one'): ServerView | undefined {
    return this.panel.getSnapshot().servers.find((server) => server.name === name);
  }

  until(describeIt: string, isIt: (view: ServerView | undefined) => boolean, name = 'one'): Promise<unknown> {
    return waitUntil(() => isIt(this.view(name)), { deadlineMs: 30_000, describe: describeIt });
  }

  running(): Promise<unknown> {
    return this.until('it to run', (view) => view?.state.kind === 'running');
  }

  async asked(name = 'one'): Promise<string> {
    await this.until('the question', (view) => view?.consent !== undefined, name);
    return this.view(name)!.consent!.digest;
  }

  /** Runs the command line of the core in this home. */
  async core(...args: string[]): Promise<{ code: unknown; stdout: string; stderr: string }> {
    const child = spawn(process.execPath, [HEADLESS, '--home', this.home, ...args], {
      env: { ...process.env, MCP_CONTROL_PANEL_TEST: '' },
    });
    const said = { stdout: '', stderr: '' };
    child.stdout.setEncoding('utf8').on('data', (text: string) => (said.stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (said.stderr += text));
    const [code] = (await once(child, 'close')) as unknown[];
    return { code, ...said };
  }
}

/** A home with one server that was there at the first use. */
async function openHome(entries?: (home: AskingHome) => Entries): Promise<AskingHome> {
  const home = new AskingHome();
  onTestFinished(() => home.close());
  mkdirSync(join(home.home, 'sub'));
  writeFileSync(join(home.home, 'evil.sh'), `#!/bin/sh\ntouch '${home.home}/ran'\nexec "$@"\n`, {
    mode: 0o755,
  });
  writeFileSync(join(home.home, 'evil.cjs'), `require('fs').writeFileSync('${home.home}/ran', '')`);
  home.edit(entries?.(home) ?? { one: home.entry() });
  await home.open();
  return home;
}

async function runningHome(): Promise<AskingHome> {
  const home = await openHome();
  await home.running();
  return home;
}

const refused = expect.objectContaining({ code: 'CONSENT_REQUIRED' }) as unknown;

describe('an edit from outside', () => {
  const edits: readonly (readonly [string, (home: AskingHome) => object])[] = [
    ['command', (home) => evilCommand(home)],
    ['args', (home) => home.entry('--start-log=ran')],
    ['env', (home) => ({ ...home.entry(), env: { NODE_OPTIONS: `--require ${home.home}/evil.cjs` } })],
    ['cwd', (home) => ({ ...home.entry(), cwd: join(home.home, 'sub') })],
  ];
  it.each(edits)(
    'of %s runs nothing until somebody agrees; the old definition goes on, also over a restart',
    posix,
    async (_, changed) => {
      const home = await runningHome();
      home.edit({ one: changed(home) });
      const digest = await home.asked();
      expect(home.view()).toMatchObject({ state: { kind: 'running' }, generation: 1 });
      await home.panel.servers.restart('one');
      expect(home.starts).toHaveLength(2);

      await home.panel.servers.stop('one');
      await expect(home.panel.servers.start('one')).rejects.toEqual(refused);
      expect(home.view()).toMatchObject({
        state: { kind: 'failed' },
        lastError: { code: 'CONSENT_REQUIRED' },
      });
      expect(home.starts.filter(isAlive)).toEqual([]);
      expect(home.starts).toHaveLength(2);
      expect(home.evidence).toEqual([]);

      await home.panel.consent.agree({ name: 'one', digest });
      await home.running();
      expect(home.evidence).toHaveLength(1);
      expect(home.view()?.consent).toBeUndefined();
    },
  );

  it('restarts a server that runs once somebody agrees', posix, async () => {
    const home = await runningHome();
    home.edit({ one: evilCommand(home) });
    await home.panel.consent.agree({ name: 'one', digest: await home.asked() });
    await home.until('the next run', (view) => view?.generation === 2 && view.state.kind === 'running');
    expect(home.evidence).toEqual(['ran']);
  });

  it('that adds a server, or was made while the panel was off, runs nothing', posix, async () => {
    const home = await runningHome();
    home.edit({ one: home.entry(), two: evilCommand(home) });
    await home.asked('two');
    await home.until('the refusal', (view) => view?.lastError?.code === 'CONSENT_REQUIRED', 'two');
    const { difference } = await home.panel.consent.get('two');
    expect(difference.isNew).toBe(true);
    expect(home.notices.filter((line) => line.startsWith('two was added outside'))).toHaveLength(1);
    await home.close();
    home.edit({ one: evilCommand(home) });
    await home.open();
    await home.until('the refusal', (view) => view?.lastError?.code === 'CONSENT_REQUIRED');
    // The difference is known after a restart as well.
    expect((await home.panel.consent.get('one')).difference).toMatchObject({ isNew: false });
    expect(home.starts).toHaveLength(1);
    expect(home.evidence).toEqual([]);
  });

  it('by a link that leads to another file is one', posix, async () => {
    const home = await runningHome();
    writeFileSync(join(home.home, 'other.json'), JSON.stringify({ mcpServers: { one: evilCommand(home) } }));
    symlinkSync(join(home.home, 'other.json'), `${home.path}.link`);
    renameSync(`${home.path}.link`, home.path);
    await home.asked();
    await home.panel.servers.restart('one');
    expect(home.evidence).toEqual([]);
  });

  it('takes the place of the one before, and is no question where it goes back', posix, async () => {
    const home = await runningHome();
    home.edit({ one: evilCommand(home) });
    const first = await home.asked();
    home.edit({ one: home.entry('--start-log=ran') });
    await home.until('the next question', (view) => view?.consent?.digest !== first);
    await expect(home.panel.consent.agree({ name: 'one', digest: first })).rejects.toEqual(
      expect.objectContaining({ code: 'CONFIG_CONFLICT' }),
    );
    await home.panel.consent.postpone({ name: 'one', digest: await home.asked() });
    expect(home.view()?.consent?.isPostponed).toBe(true);
    home.edit({ one: home.entry() });
    await home.until('the end of the question', (view) => view?.consent === undefined);
    expect(home.view()).toMatchObject({ state: { kind: 'running' }, generation: 1 });
    expect(home.evidence).toEqual([]);
  });

  it('that disables, removes or sets what is supervised needs no question', posix, async () => {
    const home = await runningHome();
    home.edit({ one: { ...home.entry(), panel: { limits: { maxMemoryMiB: 999 } } } });
    await home.until('the limit', (view) => view?.limits.maxMemoryMiB === 999);
    home.edit({ one: { ...evilCommand(home), disabled: true } });
    await home.until('the stop', (view) => view?.state.kind === 'stopped');
    home.edit({});
    await home.until('its end', (view) => view === undefined);
    expect(home.evidence).toEqual([]);
  });

  it('of an address or a header of a remote server sends nothing there', posix, async () => {
    const seen: string[] = [];
    const listener = createServer(({ url, headers }, response) => {
      seen.push(`${url} ${String(headers['x-to'] ?? '')}`.trim());
      response.writeHead(404).end();
    });
    onTestFinished(() => void listener.close());
    await once(listener.listen(0, '127.0.0.1'), 'listening');
    const at = (path: string) => `http://127.0.0.1:${(listener.address() as AddressInfo).port}${path}`;
    const panel = { restart: { enabled: false } };
    const home = await openHome(() => ({ one: { url: at('/a'), panel }, two: { url: at('/b'), panel } }));
    await home.until('the end of its start', (view) => view?.state.kind === 'failed');
    await home.until('the end of its start', (view) => view?.state.kind === 'failed', 'two');
    home.edit({
      one: { url: at('/evil'), panel },
      two: { url: at('/b'), headers: { 'X-To': 'evil' }, panel },
    });
    for (const name of ['one', 'two']) {
      await home.asked(name);
      await expect(home.panel.servers.start(name)).rejects.toEqual(refused);
    }
    expect(seen.filter((request) => request.includes('evil'))).toEqual([]);
    await home.panel.consent.agree({ name: 'one', digest: await home.asked() });
    await waitUntil(() => seen.includes('/evil'), { deadlineMs: 10_000, describe: 'the request' });
  });
});

const evilCommand = (home: AskingHome) => {
  const { command, args, cwd } = home.entry();
  return { command: join(home.home, 'evil.sh'), args: [command, ...args], cwd };
};

describe('consent', () => {
  it('is given by what the window writes, and not needed by what it tries', posix, async () => {
    const home = await runningHome();
    const tried = await home.panel.entries.testConnection({ name: 'new', ...home.entry() });
    expect(tried.ok).toBe(true);
    await home.panel.entries.put({ name: 'one', ...evilCommand(home) });
    await home.until('the next run', (view) => view?.generation === 2 && view.state.kind === 'running');
    await home.panel.entries.putAll([{ name: 'two', ...home.entry() }]);
    await home.until('the second', (view) => view?.state.kind === 'running', 'two');
    expect(home.notices.filter((line) => line.includes('outside'))).toEqual([]);
  });

  it('is not given by a click on a switch', posix, async () => {
    const home = await runningHome();
    await home.panel.entries.setEnabled('one', false);
    await home.until('the stop', (view) => view?.state.kind === 'stopped');
    home.edit({ one: { ...evilCommand(home), disabled: true } });
    await home.asked();
    await home.panel.entries.setEnabled('one', true);
    await home.until('the refusal', (view) => view?.lastError?.code === 'CONSENT_REQUIRED');
    expect(home.evidence).toEqual([]);
  });

  it('that was lost starts nothing until it is given anew', posix, async () => {
    const home = await runningHome();
    await home.close();
    rmSync(join(home.home, 'consents.json'));
    await home.open();
    const digest = await home.asked();
    await home.until('the refusal', (view) => view?.lastError?.code === 'CONSENT_REQUIRED');
    expect(home.starts).toHaveLength(1);
    await home.panel.consent.agree({ name: 'one', digest });
    await home.running();
  });

  it('by command line says what it agrees to, and a panel that runs hears of it', posix, async () => {
    const home = await runningHome();
    home.edit({ one: home.entry(), two: evilCommand(home), three: evilCommand(home) });
    await home.asked('two');
    expect(await home.core('--agree', 'two,none')).toMatchObject({ code: 1 });
    const agreed = await home.core('--agree', 'two');
    expect(agreed).toMatchObject({ code: 0, stderr: '' });
    expect(agreed.stdout).toMatch(/^agreed to two: .*command: .*evil\.sh.*\n$/);
    await home.until('the second', (view) => view?.state.kind === 'running', 'two');
    expect(home.view('three')?.consent).toBeDefined();
    expect((await home.core('--agree-all')).stdout).toMatch(/^agreed to three: /);
    expect((await home.core('--agree-all')).stdout).toBe('agreed to already\n');
    await home.until('the third', (view) => view?.state.kind === 'running', 'three');
  });

  it('is asked for by the bridge without a panel as well', posix, async () => {
    const home = await runningHome();
    await home.close();
    home.edit({ one: evilCommand(home) });
    const refusedBridge = await bridged(home);
    expect(refusedBridge).toContain('nobody has agreed to it');
    expect(home.evidence).toEqual([]);
    await home.core('--agree', 'one');
    expect(await bridged(home)).toContain('"serverInfo"');
    expect(home.evidence).toEqual(['ran']);
    writeFileSync(join(home.home, 'consents.json'), '{}');
    expect(await bridged(home)).toContain('nobody has agreed to it');
  });
});

/** What the bridge says to a client that greets it. */
async function bridged({ home }: AskingHome): Promise<string> {
  const env = { ...process.env, MCP_CONTROL_PANEL_HOME: home, MCP_CONTROL_PANEL_TOKEN: 'none' };
  const child = spawn(process.execPath, [BRIDGE, 'connect', 'one'], { env });
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'c', version: '1' } };
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`);
  await waitUntil(() => /"id":1/.test(said), { deadlineMs: 30_000, describe: 'an answer of the bridge' });
  child.stdin.end();
  await once(child, 'exit');
  return said;
}
