import { describe, expect, it } from 'vitest';
import { authorityRecord, needsXvfb, replacing } from '../../scripts/lib/display.mjs';

describe('needsXvfb', () => {
  it.each([
    [{}, 'linux', true],
    [{ DISPLAY: '', WAYLAND_DISPLAY: '' }, 'linux', true],
    [{ DISPLAY: ':0' }, 'linux', false],
    [{ WAYLAND_DISPLAY: 'wayland-0' }, 'linux', false],
    [{}, 'darwin', false],
    [{}, 'win32', false],
  ])('for %o on %s is %s', (env, platform, expected) => {
    expect(needsXvfb(env, platform)).toBe(expected);
  });
});

describe('replacing', () => {
  it('records beside the variables what they replace, and what was not there', () => {
    const added = replacing(
      { DISPLAY: ':7', XDG_SESSION_TYPE: 'x11' },
      { XDG_SESSION_TYPE: 'tty', HOME: '/me' },
    );
    expect(added).toEqual({
      DISPLAY: ':7',
      XDG_SESSION_TYPE: 'x11',
      MCP_CONTROL_PANEL_REPLACED: '{"DISPLAY":null,"XDG_SESSION_TYPE":"tty"}',
    });
  });
});

describe('authorityRecord', () => {
  it('is one record for any host and display, as Xau reads it', () => {
    const cookie = Buffer.alloc(16, 0xab);
    const record = authorityRecord(cookie);
    const name = 'MIT-MAGIC-COOKIE-1';
    expect(record.subarray(0, 6).toString('hex')).toBe('ffff00000000');
    expect(record.readUInt16BE(6)).toBe(name.length);
    expect(record.subarray(8, 8 + name.length).toString()).toBe(name);
    expect(record.readUInt16BE(8 + name.length)).toBe(cookie.length);
    expect(record.subarray(-16)).toEqual(cookie);
  });
});
