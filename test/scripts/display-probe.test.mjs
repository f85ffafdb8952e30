import { createServer } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { requireDisplay, xAddresses } from '../../scripts/lib/display-probe.mjs';
import { FakeCheckout } from './fake-checkout.mjs';
import { sharedFolder } from '../support/temp-folder.ts';

const nothing = async () => false;

describe('xAddresses', () => {
  const socket = '/tmp/.X11-unix/X7';
  it.each([
    [':7', [{ path: `\0${socket}` }, { path: socket }, { host: 'localhost', port: 6007 }]],
    ['unix:7.0', [{ path: `\0${socket}` }, { path: socket }, { host: 'localhost', port: 6007 }]],
    ['localhost:10.0', [{ host: 'localhost', port: 6010 }]],
    ['[::1]:1', [{ host: '::1', port: 6001 }]],
    ['/private/x/org.xquartz:0', [{ path: '/private/x/org.xquartz:0' }, { path: '/private/x/org.xquartz' }]],
    ['nonsense', []],
  ])('of %s', (display, expected) => {
    expect(xAddresses(display)).toEqual(expected);
  });
});

describe('requireDisplay', () => {
  it('has no objection where no display is named, nor on other systems', async () => {
    expect(await requireDisplay({}, 'linux', nothing)).toEqual({});
    expect(await requireDisplay({ DISPLAY: ':77' }, 'darwin', nothing)).toEqual({});
  });

  it('names a display that does not answer, and what to do', async () => {
    await expect(requireDisplay({ DISPLAY: ':77' }, 'linux', nothing)).rejects.toMatchObject({
      message: 'DISPLAY=:77 does not answer: no display takes a connection there.',
      remedy: expect.stringMatching(/^Unset DISPLAY to let the panel start a virtual display of its own/),
    });
    const wayland = { WAYLAND_DISPLAY: 'wayland-9', XDG_RUNTIME_DIR: '/run/user/1' };
    await expect(requireDisplay(wayland, 'linux', nothing)).rejects.toThrow('WAYLAND_DISPLAY=wayland-9');
    await expect(requireDisplay({ ...wayland, DISPLAY: ':77' }, 'linux', nothing)).rejects.toThrow(
      'DISPLAY=:77 and WAYLAND_DISPLAY=wayland-9 do not answer',
    );
  });

  it('goes on with the one of two that answers, and unsets the other', async () => {
    const env = { DISPLAY: ':0', WAYLAND_DISPLAY: 'wayland-9', XDG_RUNTIME_DIR: '/run/user/1' };
    const answers = (path) => async (address) => address.path === path;
    expect(await requireDisplay(env, 'linux', answers('/tmp/.X11-unix/X0'))).toEqual({
      WAYLAND_DISPLAY: undefined,
    });
    expect(await requireDisplay(env, 'linux', answers('/run/user/1/wayland-9'))).toEqual({
      DISPLAY: undefined,
    });
  });
});

describe.skipIf(process.platform === 'win32')('requireDisplay on real sockets', () => {
  const folder = sharedFolder('display-test-');

  it('finds a socket that listens, and not the file that a dead one left', async () => {
    const socket = join(folder, 'wayland-0');
    const server = createServer().listen(socket);
    await once(server, 'listening');
    const env = { WAYLAND_DISPLAY: 'wayland-0', XDG_RUNTIME_DIR: folder };
    expect(await requireDisplay(env, 'linux')).toEqual({});
    await new Promise((closed) => server.close(closed));
    await expect(requireDisplay(env, 'linux')).rejects.toThrow('does not answer');
  });
});

describe.skipIf(process.platform !== 'linux')('npm start with a display that is gone', () => {
  it('says so before anything else, with exit code 1', async () => {
    const checkout = new FakeCheckout();
    try {
      const run = checkout.start({ DISPLAY: '127.0.0.1:59534' });
      expect(await run.ended).toBe(1);
      expect(run.output).toMatch(/DISPLAY=127\.0\.0\.1:59534 does not answer.*\n {2}Unset DISPLAY/);
      expect(checkout.has('node_modules')).toBe(false);
    } finally {
      await checkout.dispose();
    }
  });
});
