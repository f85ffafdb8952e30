import { beforeAll, describe, expect, it } from 'vitest';
import type { Offer, OfferInTexts, CallProgress } from '../../shared/domain.ts';
import type { SessionsView } from '../../shared/sessions-view.ts';
import { fixtureServer, referenceServer } from '../fixtures/fixture-server.ts';
import { serverOf, sharedPanel, usePanels, type DrivenPanel } from './harness.ts';
import { callTool as call } from './support/driving.ts';
import { waitUntil } from './support/wait-until.ts';
import { isAlive } from '../support/proc.ts';

const everything = referenceServer('everything', 'stdio');

const panelWith = sharedPanel(usePanels('all'));

interface ToolOutcome {
  readonly result?: { readonly content: readonly { readonly text: string }[] };
  readonly durationMs?: number;
  readonly rejected?: { readonly code: string };
}

const callTool = call<ToolOutcome>;
const textOf = ({ result }: ToolOutcome) => result?.content[0]?.text ?? '';
const sessionsOf = (panel: DrivenPanel, name: string) => panel.call<SessionsView>('getSessions', name);
const pidOf = async (panel: DrivenPanel, name: string, context: string) =>
  (JSON.parse(textOf(await callTool(panel, name, 'pid', { context }))) as { pid: number }).pid;

/**
 * Asks the current page, because the driver loses one that crashes, and one that dies answers nothing at all.
 */
async function inCurrentPage<T>({ app }: DrivenPanel, expression: string): Promise<T> {
  let answer: unknown;
  await waitUntil('a page that answers', async () => {
    answer = await app.evaluate(async ({ BrowserWindow }, code) => {
      const asked = BrowserWindow.getAllWindows()[0]?.webContents.executeJavaScript(code) as Promise<unknown>;
      const givesUp = new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), 2000));
      return Promise.race([asked, givesUp]).catch(() => undefined);
    }, expression);
    return answer !== undefined;
  });
  return answer as T;
}

/** Records what the page is told of progress. */
const recordProgress = (panel: DrivenPanel) =>
  panel.page.evaluate(() => {
    const scope = globalThis as unknown as {
      controlPanel: { onCallProgress(listener: (progress: unknown) => void): () => void };
      progress: unknown[];
    };
    scope.progress = [];
    scope.controlPanel.onCallProgress((one) => scope.progress.push(one));
  });
const recordedProgress = (panel: DrivenPanel) =>
  panel.page.evaluate(() => (globalThis as unknown as { progress: CallProgress[] }).progress);

describe('sessions of a shared server', () => {
  it('are one for two contexts, with one process; eviction leaves it, a crash ends it, a restart makes a new one', async () => {
    const panel = await panelWith({
      one: { ...fixtureServer(), panel: { autoStart: false, restart: { initialBackoffMs: 50 } } },
    });
    expect(await sessionsOf(panel, 'one')).toEqual({
      sharing: expect.objectContaining({ mode: 'shared', setting: 'auto' }) as unknown,
      sessions: [],
    });
    expect((await serverOf(panel, 'one')).sessions).toBeUndefined();

    // A call on a stopped server starts it.
    const pids = await Promise.all([pidOf(panel, 'one', 'claude'), pidOf(panel, 'one', 'cursor')]);
    const { pid } = await serverOf(panel, 'one');
    expect(pids).toEqual([pid, pid]);
    expect(panel.serverProcesses()).toHaveLength(1);
    const first = (await sessionsOf(panel, 'one')).sessions;
    expect(first).toMatchObject([{ mode: 'shared', instance: 'one', pid }]);
    expect(first[0]?.leases.map(({ contextId }) => contextId).sort()).toEqual(['claude', 'cursor']);
    expect(await serverOf(panel, 'one')).toMatchObject({ sessions: 1, leases: 2 });

    expect(await panel.call('evictSession', 'one', first[0]?.generation)).toBeUndefined();
    expect((await sessionsOf(panel, 'one')).sessions).toEqual([]);
    expect(isAlive(pid!)).toBe(true);
    expect(await pidOf(panel, 'one', 'claude')).toBe(pid);
    const second = (await sessionsOf(panel, 'one')).sessions;
    expect(second[0]!.generation).toBeGreaterThan(first[0]!.generation);

    const lost = callTool(panel, 'one', 'hang', { context: 'claude' });
    await waitUntil('the call to show', async () => {
      const { sessions } = await sessionsOf(panel, 'one');
      return sessions[0]?.leases[0]?.callsInFlight === 1;
    });
    process.kill(pid!, 'SIGKILL');
    expect(['CRASHED', 'OUTCOME_UNKNOWN']).toContain((await lost).rejected?.code);
    await waitUntil('the session to end', async () => {
      const { sessions } = await sessionsOf(panel, 'one');
      return sessions.every(({ generation }) => generation > second[0]!.generation);
    });
    const third = await pidOf(panel, 'one', 'cursor');
    expect(third).not.toBe(pid);
    expect((await serverOf(panel, 'one')).generation).toBe(2);

    expect(await panel.call('restartServer', 'one')).toBeUndefined();
    expect((await sessionsOf(panel, 'one')).sessions).toEqual([]);
    expect(await pidOf(panel, 'one', 'cursor')).toBe((await serverOf(panel, 'one')).pid);
    expect((await sessionsOf(panel, 'one')).sessions).toMatchObject([{ leases: [{ contextId: 'cursor' }] }]);
  });
});

describe('sessions of an exclusive server', () => {
  it('have a process each, are counted, and end with the server', async () => {
    const panel = await panelWith({ one: fixtureServer() });
    expect(await panel.call('setSharing', 'one', 'exclusive')).toBeUndefined();
    await waitUntil('the setting', async () => (await sessionsOf(panel, 'one')).sharing.mode === 'exclusive');
    expect((await sessionsOf(panel, 'one')).sharing).toMatchObject({
      setting: 'exclusive',
      reason: 'setting',
    });
    const first = await pidOf(panel, 'one', 'claude');
    const second = await pidOf(panel, 'one', 'cursor');
    const own = (await serverOf(panel, 'one')).pid;
    expect(new Set([first, second, own]).size).toBe(3);
    await waitUntil(
      'figures of all three',
      async () => (await serverOf(panel, 'one')).sample?.processCount === 3,
    );
    const { sessions } = await sessionsOf(panel, 'one');
    expect(sessions).toMatchObject([
      { mode: 'exclusive', instance: 'one#2', pid: first },
      { mode: 'exclusive', instance: 'one#3', pid: second },
    ]);
    await panel.call('evictSession', 'one', sessions[0]?.generation);
    expect(isAlive(first)).toBe(false);
    expect(isAlive(second)).toBe(true);
    expect(await panel.call('stopServer', 'one')).toBeUndefined();
    expect(panel.serverProcesses()).toEqual([]);
    expect((await sessionsOf(panel, 'one')).sessions).toEqual([]);
  });
});

describe('calls of the window', () => {
  it('reach the reference server, report progress, and can be cancelled', async () => {
    const panel = await panelWith({ everything });
    await recordProgress(panel);
    expect(textOf(await callTool(panel, 'everything', 'echo', { args: { message: 'hello' } }))).toBe(
      'Echo: hello',
    );
    expect(textOf(await callTool(panel, 'everything', 'get-sum', { args: { a: 2, b: 40 } }))).toContain('42');
    expect((await sessionsOf(panel, 'everything')).sessions).toMatchObject([
      { leases: [{ contextId: 'window' }] },
    ]);

    const long = await callTool(panel, 'everything', 'trigger-long-running-operation', {
      callId: 'long',
      args: { duration: 1, steps: 4 },
    });
    expect(textOf(long)).toContain('1 seconds');
    expect(long.durationMs).toBeGreaterThan(900);
    const progress = await recordedProgress(panel);
    expect(progress.every(({ callId }) => callId === 'long')).toBe(true);
    // The last report comes together with the outcome, and may give way to it.
    expect(progress.map((one) => one.progress).slice(0, 3)).toEqual([1, 2, 3]);
    expect(progress.every(({ total }) => total === 4)).toBe(true);

    const cancelled = callTool(panel, 'everything', 'trigger-long-running-operation', {
      callId: 'too long',
      args: { duration: 60, steps: 600 },
    });
    await waitUntil('its first progress', async () =>
      (await recordedProgress(panel)).some(({ callId }) => callId === 'too long'),
    );
    expect(await panel.call('cancelCall', 'too long')).toBeUndefined();
    expect((await cancelled).rejected?.code).toBe('CANCELLED');
    expect(textOf(await callTool(panel, 'everything', 'echo', { args: { message: 'on' } }))).toBe('Echo: on');
  });

  it('show what the reference server offers, and keep the contract where they fail', async () => {
    const panel = await panelWith({
      everything,
      stopped: { ...everything, panel: { autoStart: false } },
    });
    await waitUntil('it to run', async () => (await serverOf(panel, 'everything')).state.kind === 'running');
    const offer = await panel.call<Offer>('getOffer', 'everything');
    expect(offer.tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['echo', 'get-sum']));
    expect(offer.prompts.length).toBeGreaterThan(0);
    expect(offer.resources.length).toBeGreaterThan(0);
    expect(offer.resourceTemplates.length).toBeGreaterThan(0);
    const { texts } = await panel.call<OfferInTexts>('getOfferTexts', 'everything');
    expect(Object.assign({}, ...texts.map((text) => JSON.parse(text) as object))).toEqual(offer);
    expect(await panel.call('getOffer', 'stopped')).toMatchObject({ rejected: { code: 'STOPPED' } });
    expect((await callTool(panel, 'nobody', 'echo')).rejected?.code).toBe('SERVER_UNKNOWN');
    expect(await panel.call('getSessions', 'nobody')).toMatchObject({ rejected: { code: 'SERVER_UNKNOWN' } });
    expect(
      await panel.call('callServer', { callId: 'x', name: 'everything', method: 'roots/list', params: {} }),
    ).toMatchObject({ rejected: { code: 'CONFIG_INVALID' } });
    expect(await panel.call('cancelCall', 'nothing of that name')).toBeUndefined();
  });
});

// These come last, because the driver loses a page that goes, and the panel ends with the last of them.
describe('a page that goes', () => {
  let panel: DrivenPanel;
  beforeAll(async () => (panel = await panelWith({ one: fixtureServer() })));

  const callOne = (callId: string, tool: string, context?: string) =>
    `controlPanel.callServer(${JSON.stringify({
      ...{ callId, name: 'one', method: 'tools/call', params: { name: tool, arguments: {} } },
      ...(context !== undefined && { context }),
    })})`;

  it.each(['is reloaded', 'crashes', 'goes with its window'])(
    'ends its calls when it %s, and gives their leases back',
    async (way) => {
      const callsOf = async () => {
        const { sessions } = await inCurrentPage<SessionsView>(panel, `controlPanel.getSessions('one')`);
        return sessions.flatMap(({ leases }) => leases.map(({ callsInFlight }) => callsInFlight));
      };
      await inCurrentPage(panel, `void ${callOne('lost', 'hang')}.catch(() => undefined), 'sent'`);
      await waitUntil('the call to show', async () => (await callsOf()).join() === '1');
      await panel.app.evaluate(({ BrowserWindow, app }, how) => {
        const [window] = BrowserWindow.getAllWindows();
        if (how === 'is reloaded') window?.webContents.reload();
        else if (how === 'crashes') window?.webContents.forcefullyCrashRenderer();
        else {
          window?.destroy();
          app.emit('activate');
        }
      }, way);
      await waitUntil('the lease to be idle', async () => (await callsOf()).join() === '0');
      // The id is that of the lost call, as from a page that counts from one again.
      const { result } = await inCurrentPage<ToolOutcome>(panel, callOne('lost', 'pid'));
      expect(result?.content).toHaveLength(1);
    },
  );

  it('leaves no process when the panel quits, though a session has one of its own', async () => {
    await inCurrentPage(panel, `controlPanel.setSharing('one', 'exclusive').then(() => 'set')`);
    await inCurrentPage(panel, callOne('own', 'pid', 'claude'));
    expect(panel.serverProcesses()).toHaveLength(2);
    expect(await panel.terminate()).toBe(0);
    expect(panel.serverProcesses()).toEqual([]);
  });
});
