import { expect, it, onTestFinished } from 'vitest';
import type { Approval, ApprovalDecision } from '../../../shared/approvals.ts';
import { fixtureServer, waitUntil } from '../../fixtures/fixture-server.ts';
import { skipOn } from '../../support/skip-on.ts';
import { BridgedHome } from '../bridge/bridge-process.ts';

const TIMES = { timeout: 90_000, ...skipOn('win32', 'Windows has no SIGKILL of one process alone') };

async function openHome(approval: object): Promise<BridgedHome> {
  const home = await BridgedHome.create((...records) => fixtureServer(...records), { approval });
  onTestFinished(() => home.dispose());
  return home;
}

/** The one call that waits for a person. */
async function question(home: BridgedHome): Promise<Approval> {
  let asked: Approval[] = [];
  const isAsked = async () => (asked = await home.askPanel<Approval[]>('listApprovals')).length === 1;
  await waitUntil(isAsked, { deadlineMs: 20_000, describe: 'the question' });
  return asked[0]!;
}

const decide = async (home: BridgedHome, decision: ApprovalDecision) =>
  home.askPanel('answerApproval', { id: (await question(home)).id, decision });

it(
  'a call that waits while the panel is killed never runs, and the next one runs once, for its answer',
  TIMES,
  async () => {
    const home = await openHome({ ask: 'all' });
    await home.startPanel();
    const bridge = home.bridge();
    await bridge.greet();
    const waiting = bridge.echo('killed');
    const { id } = await question(home);
    await home.killPanel();
    await home.startPanel();
    expect(await waiting).toBe('OUTCOME_UNKNOWN');
    await expect(home.askPanel('answerApproval', { id, decision: 'once' })).rejects.toThrow(
      'no longer waiting',
    );
    expect(home.calls()).toEqual([]);

    const next = bridge.echo('answered');
    await decide(home, 'once');
    expect(await next).toBe('answered');
    const refused = bridge.echo('refused');
    await decide(home, 'refuse');
    expect(await refused).toBe('APPROVAL_REFUSED');
    expect(home.calls()).toEqual(['answered']);
  },
);

it('an answer for always holds after the panel was killed', TIMES, async () => {
  const home = await openHome({ ask: 'all' });
  await home.startPanel();
  const bridge = home.bridge();
  await bridge.greet();
  const first = bridge.echo('first');
  await decide(home, 'always');
  expect(await first).toBe('first');
  await home.killPanel();
  await home.startPanel();
  expect(await bridge.echo('second')).toBe('second');
  expect(home.calls()).toEqual(['first', 'second']);
});

it('a bridge without a panel starts no server that asks a person', TIMES, async () => {
  const home = await openHome({ tools: { echo: true } });
  const { error } = await home.bridge().greet();
  expect(error?.message).toContain('needs the approval of the user');
  expect(home.starts()).toEqual([]);
});
