import fc from 'fast-check';
import { randomBytes } from 'node:crypto';
import { readFileSync, rmSync, statSync, writeFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { openSessionIds, type SessionIds } from '../../../../electron/core/gateway/auth/session-id.ts';
import { createNonce } from '../../../../electron/core/gateway/auth/tokens.ts';
import type { CapabilityClass, SessionFacts } from '../../../../electron/core/gateway/types.ts';
import { propertyRuns } from '../../../support/property-runs.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

let home: string;
let problems: string[];

beforeEach(() => {
  home = tempFolder('session-ids-');
  problems = [];
});

/** What a launch of the panel has. */
const launch = (): Promise<SessionIds> =>
  openSessionIds({ home, randomBytes, onProblem: (message) => problems.push(message) });

const facts = (more: Partial<SessionFacts> = {}): SessionFacts => ({
  nonce: createNonce(randomBytes),
  clientId: 'a1',
  server: 'files',
  protocolVersion: '2025-11-25',
  capabilities: 'plain',
  ...more,
});

describe('a session id', () => {
  it('opens to its facts, also after a restart of the panel', async () => {
    const classes: CapabilityClass[] = ['plain', 'elicitation', 'sampling', 'elicitation+sampling'];
    for (const capabilities of classes) {
      const session = facts({ capabilities, info: { name: 'Cursor ü', version: '1' } });
      const id = (await launch()).mint(session);
      expect(id).toMatch(/^[\w-]+$/);
      expect((await launch()).open(id)).toEqual(session);
    }
    const bare = facts();
    const ids = await launch();
    expect(ids.open(ids.mint(bare))).toEqual(bare);
    expect(problems).toEqual([]);
  });

  it('opens no more once its session is over, also after a restart, while others do', async () => {
    const ids = await launch();
    const [over, others] = [facts(), [facts(), facts()]];
    const done = ids.retire(over);
    expect(ids.open(ids.mint(over))).toBeUndefined();
    await done;
    const later = await launch();
    expect(later.open(ids.mint(over))).toBeUndefined();
    for (const other of others) expect(later.open(ids.mint(other))).toEqual(other);
  });

  it('differs from every other by 128 random bits', async () => {
    const ids = await launch();
    const minted = Array.from({ length: 500 }, () => ids.mint(facts()));
    expect(new Set(minted).size).toBe(500);
    expect(Buffer.from(facts().nonce, 'base64url')).toHaveLength(16);
  });

  it('cuts what a client calls itself', async () => {
    const ids = await launch();
    const id = ids.mint(facts({ info: { name: 'n'.repeat(9999), version: '\u0000'.repeat(9999) } }));
    expect(ids.open(id)!.info!.name).toHaveLength(64);
    expect(id.length).toBeLessThan(2048);
  });

  it('never opens from any other bytes', async () => {
    const ids = await launch();
    const id = ids.mint(facts());
    const bytes = Buffer.from(id, 'base64url');
    const changed = fc.record({ at: fc.nat(bytes.length - 1), bit: fc.nat(7) }).map(({ at, bit }) => {
      const copy = Buffer.from(bytes);
      copy[at]! ^= 1 << bit;
      return copy.toString('base64url');
    });
    const other = fc.oneof(
      changed,
      fc.nat(id.length - 1).map((length) => id.slice(0, length)),
      fc.string({ minLength: 1 }).map((more) => id + more),
      fc.string({ unit: 'binary' }),
      fc.uint8Array({ maxLength: 300 }).map((some) => Buffer.from(some).toString('base64url')),
      fc.constantFrom(
        `${id}=`,
        `${id}\n`,
        ` ${id}`,
        id.replaceAll('-', '+').replaceAll('_', '/').concat('='),
      ),
    );
    fc.assert(
      fc.property(other, (text) => {
        fc.pre(text !== id);
        expect(ids.open(text)).toBeUndefined();
      }),
      { numRuns: propertyRuns(2000) },
    );
    expect(ids.open(id)).toBeDefined();
  });

  it('of another home does not open', async () => {
    const id = (await launch()).mint(facts());
    rmSync(join(home, 'gateway-key'));
    expect((await launch()).open(id)).toBeUndefined();
  });
});

describe('the name of a server in files', () => {
  it('is the same in each launch, and another one in each home, so that no secret is found by trying', async () => {
    const key = 'a'.repeat(64);
    const name = (await launch()).nameOf(key);
    expect(name).toMatch(/^[0-9a-f]{40}$/);
    expect((await launch()).nameOf(key)).toBe(name);
    rmSync(join(home, 'gateway-key'));
    expect((await launch()).nameOf(key)).not.toBe(name);
  });
});

describe('the key', () => {
  it('is made once, of 256 bits, for its owner alone', async () => {
    await launch();
    const text = readFileSync(join(home, 'gateway-key'), 'utf8');
    expect(text).toMatch(/^[0-9a-f]{64}\n$/);
    await launch();
    expect(readFileSync(join(home, 'gateway-key'), 'utf8')).toBe(text);
    if (process.platform !== 'win32') expect(statSync(join(home, 'gateway-key')).mode & 0o777).toBe(0o600);
  });

  it('is made anew where there is something else, which is kept and told', async () => {
    writeFileSync(join(home, 'gateway-key'), 'short');
    const ids = await launch();
    expect(problems).toEqual([expect.stringContaining('gateway-key.aside')]);
    expect(readFileSync(join(home, 'gateway-key.aside'), 'utf8')).toBe('short');
    expect((await launch()).open(ids.mint(facts()))).toBeDefined();
  });

  it('lasts as long as the panel where it cannot be written, which is told', async () => {
    const ids = await openSessionIds({
      home: join(home, 'missing'),
      randomBytes,
      onProblem: (message) => problems.push(message),
    });
    const session = facts();
    expect(ids.open(ids.mint(session))).toEqual(session);
    await ids.retire(session);
    expect(ids.open(ids.mint(session))).toBeUndefined();
    expect(problems).toHaveLength(2);
  });
});

describe('ended sessions', () => {
  it('are bounded, the oldest are forgotten first', async () => {
    const ids = await launch();
    const all = Array.from({ length: 4100 }, () => facts());
    await Promise.all(all.map((session) => ids.retire(session)));
    const later = await launch();
    const opens = all.map((session) => later.open(ids.mint(session)) !== undefined);
    expect(opens.slice(0, 4)).toEqual([true, true, true, true]);
    expect(opens.slice(4).includes(true)).toBe(false);
    expect(statSync(join(home, 'gateway-ended')).size).toBe(4096 * 23);
  });

  it('are those that can be read where the file is damaged, and none where there is a folder', async () => {
    const ids = await launch();
    const session = facts();
    await ids.retire(session);
    writeFileSync(join(home, 'gateway-ended'), `\u0000garbage\n${session.nonce}\nhalf`);
    expect((await launch()).open(ids.mint(session))).toBeUndefined();
    expect(problems).toEqual([]);
    rmSync(join(home, 'gateway-ended'));
    mkdirSync(join(home, 'gateway-ended'));
    expect((await launch()).open(ids.mint(session))).toEqual(session);
    expect(problems).toHaveLength(1);
  });
});
