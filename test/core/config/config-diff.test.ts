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
    ['a cap', { command: 'run', args: ['x'], env: { A: '1' }, panel: { caps: { memoryMiB: 64 } } }],
  ])('reconnects when %s changes', (_field, entry) => {
    expect(diffConfigs([base], [server('a', entry)])).toEqual({ ...nothing, reconnect: ['a'] });
  });

  it.each<[string, Partial<ServerEntry>]>([
    ['its headers', { headers: { A: '1' } }],
    ['its type', { type: 'sse' }],
    ['whether its certificate is checked', { tls: { verify: false } }],
    ['its authority', { tls: { caFile: 'ca.pem' } }],
  ])('reconnects to a remote server when %s changes', (_field, changed) => {
    const url = 'https://localhost/mcp';
    const other = server('a', { url, ...changed });
    expect(diffConfigs([server('a', { url })], [other])).toEqual({ ...nothing, reconnect: ['a'] });
  });

  it('does not reconnect for a key that nobody reads', () => {
    const url = 'https://localhost/mcp';
    const other = server('a', { url, tls: { verify: true, note: 1 } });
    expect(diffConfigs([server('a', { url })], [other]).reconnect).toEqual([]);
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
