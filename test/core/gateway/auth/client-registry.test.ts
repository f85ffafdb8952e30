import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  openClientRegistry,
  type ClientRegistry,
} from '../../../../electron/core/gateway/auth/client-registry.ts';
import { createFakeClock, type FakeClock } from '../../fake-clock.ts';
import { eventually } from '../../support/eventually.ts';

let home: string;
let path: string;
let clock: FakeClock;
let registry: ClientRegistry;

const launch = () => openClientRegistry({ path, clock, wallClock: clock, randomBytes });
const text = () => readFileSync(path, 'utf8');
const stored = () => JSON.parse(text()) as { clients: Record<string, unknown>[] };
/** Somebody else writes the file, and we look. */
async function writeOutside(content: string): Promise<void> {
  writeFileSync(path, content);
  let looked = false;
  const undo = registry.changed.subscribe(() => (looked = true));
  await eventually(
    () => looked,
    () => clock.tick(400),
  );
  undo();
}

beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'clients-'));
  path = join(home, 'clients.json');
  clock = createFakeClock();
  registry = await launch();
});

afterEach(async () => {
  await registry.dispose();
  expect(clock.pending).toBe(0);
  // The last look at the file may still be under way, and a file that is open keeps its folder on some disks of Windows.
  await rm(home, { recursive: true, force: true, maxRetries: 10 });
});

describe('a client', () => {
  it('is known by the token that was told once, of which the file holds a hash alone', async () => {
    const { id, token } = await registry.create({ name: ' Cursor ', servers: ['files'] });
    expect(token).toMatch(/^mcpcp_[\w-]{43}$/);
    expect(registry.authenticate(token)).toEqual({ id, name: 'Cursor', servers: ['files'], scopes: ['mcp'] });
    expect(text()).not.toContain(token.slice(6));
    expect(id).not.toBe(token);
    if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(0o600);
    const later = await launch();
    expect(later.authenticate(token)).toEqual(registry.authenticate(token));
    expect(later.list()).toEqual([
      { id, name: 'Cursor', servers: ['files'], scopes: ['mcp'], createdAt: clock.epochMs() },
    ]);
    await later.dispose();
  });

  it('is nobody with any other token', async () => {
    const { token } = await registry.create({ name: 'Cursor' });
    for (const other of [
      '',
      'mcpcp_',
      token.slice(0, -1),
      `${token}A`,
      token.toUpperCase(),
      `mcpcp_${'A'.repeat(43)}`,
    ])
      expect(registry.authenticate(other)).toBeUndefined();
  });

  it.each(['', '   ', 'a'.repeat(65), 'two\nlines', 'left\u202Eright'])(
    'cannot be called %j',
    async (name) => {
      await expect(registry.create({ name })).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
      expect(registry.list()).toEqual([]);
    },
  );

  it('has a name that no other one has', async () => {
    await registry.create({ name: 'Cursor' });
    await expect(registry.create({ name: 'Cursor' })).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
  });

  it('stays the same under another name', async () => {
    const ended: string[] = [];
    registry.tokenEnded.subscribe((id) => ended.push(id));
    const { id, token } = await registry.create({ name: 'Cursor' });
    await registry.rename(id, 'Cursor at work');
    expect(registry.authenticate(token)).toMatchObject({ id, name: 'Cursor at work' });
    expect(ended).toEqual([]);
  });

  it('has one token at a time', async () => {
    const ended: string[] = [];
    registry.tokenEnded.subscribe((id) => ended.push(id));
    const { id, token } = await registry.create({ name: 'Cursor' });
    const renewed = await registry.renew(id);
    expect(renewed.token).not.toBe(token);
    expect(registry.authenticate(token)).toBeUndefined();
    expect(registry.authenticate(renewed.token)).toMatchObject({ id });
    expect(ended).toEqual([id]);
  });

  it('is refused on a connection that let it in, once it is renewed, revoked or limited', async () => {
    const connection = {};
    const { id, token } = await registry.create({ name: 'Cursor' });
    const known = registry.authenticate(token, connection);
    expect(registry.authenticate(token, connection)).toBe(known);
    expect(registry.authenticate(`${token.slice(0, -1)}é`, connection)).toBeUndefined();
    await registry.limit(id, ['files']);
    expect(registry.authenticate(token, connection)).toMatchObject({ servers: ['files'] });
    const renewed = await registry.renew(id);
    expect(registry.authenticate(token, connection)).toBeUndefined();
    expect(registry.authenticate(renewed.token, connection)).toMatchObject({ id });
    const revoked = registry.revoke(id);
    expect(registry.authenticate(renewed.token, connection)).toBeUndefined();
    await revoked;
    expect(registry.authenticate(renewed.token, connection)).toBeUndefined();
  });

  it('is refused from the moment on in which it is revoked, before anything is on disk', async () => {
    const revoked: string[] = [];
    registry.revoked.subscribe((id) => revoked.push(id));
    const { id, token } = await registry.create({ name: 'Cursor' });
    const { token: otherToken } = await registry.create({ name: 'Zed' });
    const done = registry.revoke(id);
    expect([registry.authenticate(token), revoked]).toEqual([undefined, [id]]);
    await done;
    expect(revoked).toEqual([id]);
    expect(registry.list().map(({ name }) => name)).toEqual(['Zed']);
    expect(registry.authenticate(otherToken)).toBeDefined();
    await expect(registry.revoke(id)).rejects.toMatchObject({ code: 'CLIENT_UNKNOWN' });
    await expect(registry.renew(id)).rejects.toMatchObject({ code: 'CLIENT_UNKNOWN' });
  });

  it('stays refused when the disk does not take it', async () => {
    const { id, token } = await registry.create({ name: 'Cursor' });
    rmSync(path);
    writeFileSync(join(home, 'in-the-way'), '');
    const done = registry.revoke(id);
    await expect(done).rejects.toBeDefined();
    expect(registry.authenticate(token)).toBeUndefined();
  });
});

describe('clients.json', () => {
  it('that is edited by hand is in force at once: an entry that is gone is revoked, fewer servers end what is open', async () => {
    const [revoked, ended]: string[][] = [[], []];
    registry.revoked.subscribe((id) => revoked!.push(id));
    registry.tokenEnded.subscribe((id) => ended!.push(id));
    const one = await registry.create({ name: 'one' });
    const two = await registry.create({ name: 'two' });
    const [, second] = stored().clients;
    await writeOutside(JSON.stringify({ version: 1, clients: [{ ...second, servers: ['files'] }] }));
    expect(registry.authenticate(one.token)).toBeUndefined();
    expect(registry.authenticate(two.token)).toMatchObject({ servers: ['files'] });
    expect([revoked, ended]).toEqual([[one.id], [one.id, two.id]]);
  });

  it('that is broken changes nothing, is told, and is kept when it is written anew', async () => {
    const { id, token } = await registry.create({ name: 'Cursor' });
    await writeOutside('{ half');
    expect(registry.error!.message).toContain('clients.json cannot be used');
    expect(registry.authenticate(token)).toMatchObject({ id });
    const next = await registry.create({ name: 'Zed' });
    expect(registry.error).toBeUndefined();
    expect([registry.authenticate(token), registry.authenticate(next.token)]).not.toContain(undefined);
    expect(readFileSync(`${path}.broken`, 'utf8')).toBe('{ half');
  });

  it('with a wrong entry loses that client alone, keeps it, and tells no value of it', async () => {
    const { token } = await registry.create({ name: 'Cursor' });
    const wrong = { id: 'x', name: 'wrong', sha256: 'CANARY' };
    await writeOutside(JSON.stringify({ clients: [...stored().clients, wrong, 7], note: 'mine' }));
    expect(registry.authenticate(token)).toBeDefined();
    expect(registry.error!.message).toMatch(/clients\.1\.sha256: .*clients\.2/);
    expect(registry.error!.message).not.toContain('CANARY');
    await registry.create({ name: 'Zed' });
    expect(stored()).toMatchObject({ note: 'mine', clients: [{}, wrong, 7, { name: 'Zed' }] });
  });

  it('that copies an entry gives nobody the token of another', async () => {
    const { id } = await registry.create({ name: 'Cursor' });
    const [entry] = stored().clients;
    await writeOutside(JSON.stringify({ clients: [entry, { ...entry, id: 'other', name: 'other' }] }));
    expect(registry.list().map((client) => client.id)).toEqual([id]);
    expect(registry.error!.message).toContain('clients.1');
  });
});

describe('when a client was last seen', () => {
  it('is listed at once, and written once a minute at most', async () => {
    const { id } = await registry.create({ name: 'Cursor' });
    const before = text();
    for (let second = 0; second < 59; second += 1) registry.seen(id, 1000 + second);
    expect(registry.list()[0]!.lastSeenAt).toBe(1058);
    clock.tick(59_000);
    expect(text()).toBe(before);
    clock.tick(1000);
    await eventually(() => stored().clients[0]!['lastSeenAt'] === 1058);
  });

  it('survives the panel, and tells the first request of any run from all others', async () => {
    const { id } = await registry.create({ name: 'Cursor' });
    const arrived: string[] = [];
    registry.arrived.subscribe((client) => arrived.push(client));
    for (const at of [4000, 5000]) registry.seen(id, at);
    expect(arrived).toEqual([id]);
    await registry.dispose();
    const later = await launch();
    later.arrived.subscribe((client) => arrived.push(client));
    expect(later.list()[0]!.lastSeenAt).toBe(5000);
    later.seen(id, 6000);
    expect(arrived).toEqual([id]);
    await later.dispose();
  });
});

describe('a program that goes on with a token of before', () => {
  it('is known by the name of its client, and counted until it comes with the new one', async () => {
    const { id, token } = await registry.create({ name: 'cursor' });
    const renewed = await registry.renew(id);
    expect(registry.list()[0]).not.toHaveProperty('refused');
    const since = clock.epochMs();
    for (let count = 0; count < 3; count += 1) {
      expect(registry.authenticate(token)).toBeUndefined();
      expect(registry.refuseFormer(token)).toBe('cursor');
      await clock.advance(1000);
    }
    expect(registry.list()[0]).toMatchObject({ refused: { count: 3, since } });
    expect(registry.refuseFormer(renewed.token)).toBeUndefined();
    expect(registry.refuseFormer('no token')).toBeUndefined();
    registry.seen(id, clock.epochMs());
    expect(registry.list()[0]).not.toHaveProperty('refused');
  });

  it('is known after its client is gone', async () => {
    const { id, token } = await registry.create({ name: 'cursor' });
    await registry.revoke(id);
    expect(registry.refuseFormer(token)).toBe('cursor');
    expect(registry.list()).toEqual([]);
  });
});
