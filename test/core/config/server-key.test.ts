import { describe, expect, it } from 'vitest';
import { serverKey } from '../../../electron/core/config/server-key.ts';
import { panelSettingsSchema } from '../../../shared/panel-settings.ts';
import type { ServerConfig } from '../../../shared/server-config.ts';
import { remoteConfig, stdioConfig } from '../sessions/fake-servers.ts';

describe('serverKey', () => {
  const plain = stdioConfig('server', { args: ['a b'], env: { A: '1', B: '2' }, cwd: '/here' });
  const remote = remoteConfig('https://example.test/mcp', {
    headers: { Accept: 'x', Authorization: 'secret' },
  });

  it('is 64 hexadecimal digits that show nothing of the configuration', () => {
    expect(serverKey(remote)).toMatch(/^[0-9a-f]{64}$/);
  });

  const distinct: [string, ServerConfig][] = [
    ['the plain one', plain],
    ['arguments split elsewhere', { ...plain, args: ['a', 'b'] }],
    ['arguments in another order', { ...plain, args: ['b a'] }],
    ['an argument more', { ...plain, args: ['a b', ''] }],
    ['another command', { ...plain, command: 'other' }],
    ['another folder', { ...plain, cwd: '/other' }],
    ['no folder', stdioConfig('server', { args: ['a b'], env: { A: '1', B: '2' } })],
    ['another value in the environment', { ...plain, env: { A: '1', B: '3' } }],
    ['a variable more', { ...plain, env: { A: '1', B: '2', C: '' } }],
    ['another user', { ...plain, scope: 'someone' }],
    ['yet another user', { ...plain, scope: 'someone else' }],
    ['a remote one', remote],
    ['the same over SSE', { ...remote, transport: 'sse' }],
    ['another URL', { ...remote, url: 'https://example.test/mcp/' }],
    ['another header', { ...remote, headers: { Accept: 'x', Authorization: 'other' } }],
    ['no check of certificates', { ...remote, tls: { verify: false } }],
    ['certificates of its own', { ...remote, tls: { caFile: '/ca.pem' } }],
    ['other certificates of its own', { ...remote, tls: { caFile: '/other.pem' } }],
    ['a remote one of another user', { ...remote, scope: 'someone' }],
  ];

  it('differs for everything that reaches another server, or the same one differently', () => {
    const names = new Map<string, string>();
    for (const [name, config] of distinct) {
      expect(names.get(serverKey(config)), name).toBeUndefined();
      names.set(serverKey(config), name);
    }
    expect(names.size).toBe(distinct.length);
  });

  it('does not depend on the order of variables and headers', () => {
    expect(serverKey({ ...plain, env: { B: '2', A: '1' } })).toBe(serverKey(plain));
    const headers = { Authorization: 'secret', Accept: 'x' };
    expect(serverKey({ ...remote, headers })).toBe(serverKey(remote));
  });

  it('does not depend on name, panel settings or whether the server is enabled', () => {
    const panel = panelSettingsSchema.parse({ startTimeoutMs: 1, sessions: { mode: 'exclusive' } });
    expect(serverKey({ ...plain, name: 'other', enabled: false, panel })).toBe(serverKey(plain));
  });

  it('takes the default for what it is', () => {
    expect(serverKey({ ...remote, tls: {} })).toBe(serverKey(remote));
    expect(serverKey({ ...remote, tls: { verify: true } })).toBe(serverKey(remote));
  });

  it('takes the scope of the configuration unless it is given another', () => {
    expect(serverKey(plain, 'someone')).toBe(serverKey({ ...plain, scope: 'someone' }));
    expect(serverKey({ ...plain, scope: 'someone' }, 'other')).toBe(serverKey(plain, 'other'));
  });

  it('is stable across versions, since it may be stored', () => {
    expect(serverKey(stdioConfig('server'))).toMatchInlineSnapshot(
      `"0732f305181397972faab3fc7f68902b87874d3dbb164a6c45a2b95f3a41c1d3"`,
    );
  });
});
