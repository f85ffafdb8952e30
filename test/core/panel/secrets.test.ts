import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { ServerEntry } from '../../../shared/server-config.ts';
import { createDeferred } from '../../../electron/core/deferred.ts';
import type { AskKeyring } from '../../../electron/core/secrets/store-key.ts';
import type { KeyAnswer } from '../../../electron/core/secrets/store-state.ts';
import { fixtureServer, waitUntil } from '../../fixtures/fixture-server.ts';
import { openTestPanel, type TestPanel } from './open-test-panel.ts';
import { panelOfTest } from './panel-of-test.ts';

function fakeKeyring(): AskKeyring {
  const entries = new Map<string, string>();
  return (question) => {
    if (question.kind === 'write') entries.set(question.account, question.value);
    const value = entries.get(question.account);
    return Promise.resolve(value === undefined ? { kind: 'none' } : { kind: 'found', value });
  };
}

type Opened = TestPanel & { readonly entry: (name: string) => Promise<ServerEntry> };

async function open(servers: Record<string, object>, askKeyring = fakeKeyring()): Promise<Opened> {
  const opened = await panelOfTest(servers, {
    askKeyring,
    parentEnvironment: { ...process.env, FROM_SHELL: 'shell-value-4711' },
  });
  opened.panel.start();
  return { ...opened, entry: async (name) => (await opened.panel.entries.get(name)).entry };
}

const viewOf = ({ panel }: TestPanel, name: string) =>
  panel.getSnapshot().servers.find((server) => server.name === name);
const isIn = (opened: TestPanel, name: string, kind: string) => viewOf(opened, name)?.state.kind === kind;
const until = (opened: TestPanel, name: string, kind: string) =>
  waitUntil(() => isIn(opened, name, kind), { deadlineMs: 20_000, describe: `${name} ${kind}` });

/** The environment of the server's process. */
function environmentOf(opened: TestPanel, name: string): readonly string[] {
  const pid = viewOf(opened, name)?.pid ?? 0;
  return process.platform === 'linux' ? readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0') : [];
}

const serverWith = (env: Readonly<Record<string, string>>) => ({ ...fixtureServer(), env });

const CANARY = 'canary-7f3a9c';

it('a server with a reference fails once, starts by itself when the value comes, and restarts once for another', async () => {
  const opened = await open({
    one: serverWith({ A_TOKEN: '${secret:A}', B: 'x-${env:FROM_SHELL}' }),
  });
  const { panel, home } = opened;
  await until(opened, 'one', 'failed');
  expect(viewOf(opened, 'one')?.lastError).toMatchObject({ code: 'SECRET_MISSING' });
  expect(await panel.secrets.listMissing()).toEqual([
    {
      server: 'one',
      asks: [{ name: 'A', label: 'A', kind: 'secret', isSecret: true, place: ['env', 'A_TOKEN'] }],
    },
  ]);
  await panel.secrets.answer({
    server: 'one',
    answers: [{ place: ['env', 'A_TOKEN'], value: CANARY, asSecret: true }],
  });
  await until(opened, 'one', 'running');
  if (process.platform === 'linux')
    expect(environmentOf(opened, 'one')).toEqual(
      expect.arrayContaining([`A_TOKEN=${CANARY}`, 'B=x-shell-value-4711']),
    );
  expect(panel.secrets.list()).toMatchObject([
    { name: 'A', usedBy: ['one'], lastUsedAt: expect.any(Number) as number },
  ]);
  expect(panel.redactText(`it said ${CANARY}`)).toBe('it said [redacted]');

  const { generation } = viewOf(opened, 'one') ?? {};
  await panel.secrets.put({ name: 'A', value: `${CANARY}-2` });
  await waitUntil(() => viewOf(opened, 'one')?.generation === (generation ?? 0) + 1, {
    deadlineMs: 20_000,
    describe: 'the restart',
  });
  await until(opened, 'one', 'running');
  await panel.secrets.put({ name: 'A', value: `${CANARY}-2` });
  expect(viewOf(opened, 'one')?.generation).toBe((generation ?? 0) + 1);
  for (const file of ['servers.json', 'secrets.json', 'secrets.json.bak'])
    expect(readFileSync(join(home, file), 'utf8')).not.toContain('canary');
});

it('literals move to the store and back, and a renamed secret keeps its references', async () => {
  const server = serverWith({ GITHUB_TOKEN: CANARY, PLAIN: 'yes' });
  const opened = await open({ one: server });
  const { panel, entry } = opened;
  const found = panel.secrets.listPlain();
  expect(found).toEqual([
    { server: 'one', place: ['env', 'GITHUB_TOKEN'], label: 'GITHUB_TOKEN', suggestedName: 'GITHUB_TOKEN' },
  ]);
  const move = { server: 'one', place: ['env', 'GITHUB_TOKEN'], name: 'GITHUB_TOKEN' };
  const unknown = { server: 'one', place: ['env', 'PLAIN'], name: 'PLAIN' };
  const { moved, refused } = await panel.secrets.move([move, unknown]);
  expect(moved).toEqual([move]);
  expect(refused).toMatchObject([{ place: ['env', 'PLAIN'] }]);
  expect((await entry('one')).env).toEqual({ GITHUB_TOKEN: '${secret:GITHUB_TOKEN}', PLAIN: 'yes' });
  expect(panel.secrets.listPlain()).toEqual([]);

  await panel.secrets.rename({ from: 'GITHUB_TOKEN', to: 'gh' });
  expect((await entry('one')).env).toMatchObject({ GITHUB_TOKEN: '${secret:gh}' });
  expect(panel.secrets.list()).toMatchObject([{ name: 'gh', usedBy: ['one'] }]);
  await until(opened, 'one', 'running');

  expect(await panel.secrets.moveBack([{ ...move, name: 'gh' }])).toMatchObject({ refused: [] });
  expect((await entry('one')).env).toEqual({ GITHUB_TOKEN: CANARY, PLAIN: 'yes' });
  expect(panel.secrets.list()).toEqual([]);
});

it('a secret in the address of the alerts is known to be used, and is renamed there as well', async () => {
  const { panel } = await open({});
  await panel.secrets.put({ name: 'HOOK', value: `https://example.com/${CANARY}` });
  await panel.alerts.putChannel({ webhook: { url: '${secret:HOOK}', template: 'json' } });
  expect(panel.secrets.list()).toMatchObject([{ name: 'HOOK', usedBy: [], isUsedByAlerts: true }]);
  await panel.secrets.rename({ from: 'HOOK', to: 'chat' });
  expect(panel.alerts.get().webhook?.url).toBe('${secret:chat}');
  expect(panel.secrets.list()).toMatchObject([{ name: 'chat', isUsedByAlerts: true }]);
});

it('what an outside edit leaves open is asked for before the server is started, and may be meant as it stands', async () => {
  const opened = await open({ one: fixtureServer() });
  const { panel, home, entry } = opened;
  await until(opened, 'one', 'running');
  const server = serverWith({ KEY: '<YOUR_KEY>', HOST: '${HOST_NAME}', TAG: '<b>', ID: '${input:login}' });
  const inputs = [{ id: 'login', description: 'Your login', password: false }];
  writeFileSync(join(home, 'servers.json'), JSON.stringify({ mcpServers: { one: server }, inputs }));
  await until(opened, 'one', 'failed');
  const [missing] = await panel.secrets.listMissing();
  expect(missing?.asks).toEqual([
    { name: '<YOUR_KEY>', label: 'KEY', kind: 'placeholder', isSecret: true, place: ['env', 'KEY'] },
    { name: 'HOST_NAME', label: 'HOST_NAME', kind: 'variable', isSecret: false, place: ['env', 'HOST'] },
    { name: '<b>', label: 'TAG', kind: 'placeholder', isSecret: false, place: ['env', 'TAG'] },
    {
      name: 'login',
      label: 'login',
      kind: 'input',
      isSecret: false,
      place: ['env', 'ID'],
      hint: 'Your login',
    },
  ]);
  await panel.secrets.answer({
    server: 'one',
    answers: [
      { place: ['env', 'KEY'], value: CANARY, asSecret: true },
      { place: ['env', 'HOST'], value: 'a${b}', asSecret: false },
      { place: ['env', 'TAG'], value: '<b>', asSecret: false },
      { place: ['env', 'ID'], value: 'ada', asSecret: false },
    ],
  });
  await until(opened, 'one', 'running');
  expect((await entry('one')).env).toEqual({
    KEY: '${secret:one_KEY}',
    HOST: 'a$${b}',
    TAG: '<b>',
    ID: 'ada',
  });
  if (process.platform === 'linux')
    expect(environmentOf(opened, 'one')).toEqual(
      expect.arrayContaining([`KEY=${CANARY}`, 'HOST=a${b}', 'TAG=<b>']),
    );
});

it('a server waits for the keyring and says so, while others start', async () => {
  const asked = createDeferred<KeyAnswer>();
  const keyring = fakeKeyring();
  const servers = { one: serverWith({ T: '${secret:T}' }), two: fixtureServer() };
  const first = await openTestPanel(servers, { askKeyring: keyring });
  await first.panel.secrets.put({ name: 'T', value: CANARY });
  const sealed = readFileSync(join(first.home, 'secrets.json'), 'utf8');
  await first.dispose();

  let isFirst = true;
  const slow: AskKeyring = (...question) => {
    if (!isFirst) return keyring(...question);
    isFirst = false;
    return asked.promise;
  };
  const opened = await panelOfTest(servers, { askKeyring: slow }, (home) =>
    writeFileSync(join(home, 'secrets.json'), sealed),
  );
  opened.panel.start();
  await until(opened, 'two', 'running');
  expect(viewOf(opened, 'one')?.state).toMatchObject({ kind: 'starting', reason: 'waits for the keyring' });
  expect(opened.panel.getSnapshot().config.secretStore).toEqual({ state: 'opening', keyKind: 'keyring' });
  asked.resolve({ kind: 'silent', waitedMs: 5000 });
  await until(opened, 'one', 'failed');
  expect(viewOf(opened, 'one')?.lastError?.message).toContain('gave no answer in 5 s');
  await opened.panel.secrets.unlock();
  await until(opened, 'one', 'running');
});

it('what cannot be kept a secret is refused with the reason', async () => {
  const { panel } = await open({});
  for (const value of ['', 'abc', 'true', 'localhost'])
    await expect(panel.secrets.put({ name: 'A', value })).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
  await expect(panel.secrets.rename({ from: 'A', to: 'B' })).rejects.toMatchObject({
    code: 'SECRET_MISSING',
  });
});
