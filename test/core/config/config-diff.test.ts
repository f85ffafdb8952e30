import { describe, expect, it } from 'vitest';
import { diffConfigs } from '../../../electron/core/config/config-diff.ts';
import { serverEntrySchema, toServerConfig, type ServerEntry } from '../../../shared/server-config.ts';

const server = (name: string, entry: ServerEntry) =>
  toServerConfig(name, serverEntrySchema.parse(entry), (cwd) => `/home/${cwd}`);
const base = server('a', { command: 'run', args: ['x'], env: { A: '1' } });
const nothing = { added: [], removed: [], reconnect: [], panelChanged: [] };

describe('diffConfigs', () => {
  it('names what came and what went', () => {
    const b = server('b', { url: 'http://localhost/mcp' });
    expect(diffConfigs([base], [b])).toEqual({ ...nothing, added: ['b'], removed: ['a'] });
  });

  it.each<[string, ServerEntry]>([
    ['command', { command: 'walk', args: ['x'], env: { A: '1' } }],
    ['args', { command: 'run', args: ['x', 'y'], env: { A: '1' } }],
    ['env', { command: 'run', args: ['x'], env: { A: '2' } }],
    ['cwd', { command: 'run', args: ['x'], env: { A: '1' }, cwd: 'sub' }],
    ['url', { url: 'http://localhost/mcp' }],
  ])('reconnects when %s changes', (_field, entry) => {
    expect(diffConfigs([base], [server('a', entry)])).toEqual({ ...nothing, reconnect: ['a'] });
  });

  it('reconnects when headers or the type of a remote server change', () => {
    const remote = server('r', { url: 'http://localhost/mcp' });
    const withHeader = server('r', { url: 'http://localhost/mcp', headers: { A: '1' } });
    expect(diffConfigs([remote], [withHeader]).reconnect).toEqual(['r']);
    expect(
      diffConfigs([remote], [server('r', { url: 'http://localhost/mcp', type: 'sse' })]).reconnect,
    ).toEqual(['r']);
  });

  it('reconnects when the check of its certificate changes, and not for a key that nobody reads', () => {
    const url = 'https://localhost/mcp';
    const remote = server('r', { url });
    for (const tls of [{ verify: false }, { caFile: 'ca.pem' }])
      expect(diffConfigs([remote], [server('r', { url, tls })]).reconnect).toEqual(['r']);
    expect(diffConfigs([remote], [server('r', { url, tls: { verify: true, note: 1 } })]).reconnect).toEqual(
      [],
    );
  });

  it('does not reconnect when only panel settings or disabled change', () => {
    const entry = { command: 'run', args: ['x'], env: { A: '1' } };
    const settings = server('a', { ...entry, panel: { autoStart: false } });
    expect(diffConfigs([base], [settings])).toEqual({ ...nothing, panelChanged: ['a'] });
    expect(diffConfigs([base], [server('a', { ...entry, disabled: true })])).toEqual({
      ...nothing,
      panelChanged: ['a'],
    });
  });

  it('sees no difference in another order of entries or of environment variables', () => {
    const one = server('o', { command: 'run', env: { A: '1', B: '2' } });
    const same = server('o', { command: 'run', env: { B: '2', A: '1' } });
    expect(diffConfigs([base, one], [same, base])).toEqual(nothing);
  });
});
