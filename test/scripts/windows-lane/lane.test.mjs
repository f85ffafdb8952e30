import { describe, expect, it } from 'vitest';
import { findLaneTools } from '../../../scripts/lib/windows-lane/lane.mjs';
import { wholeLane } from '../../../scripts/lib/windows-lane/run-chunks.mjs';
import { wineEnvironment } from '../../../scripts/lib/windows-lane/wine.mjs';

describe('the tools of the lane', () => {
  it('are named with what installs them where one is missing', () => {
    const find = (name) => (name === 'wineserver' ? undefined : `/bin/${name}`);
    expect(findLaneTools({ platform: 'linux', arch: 'x64', find })).toEqual({
      reason: 'not found: wineserver; on Debian and Ubuntu: apt-get install wine wine64 gcc-mingw-w64-x86-64',
    });
  });

  it.each([
    ['darwin', 'arm64'],
    ['linux', 'arm64'],
  ])('are not looked for on %s (%s)', (platform, arch) => {
    expect(findLaneTools({ platform, arch, find: () => expect.unreachable() })).toEqual({
      reason: expect.stringContaining(`${platform} (${arch})`),
    });
  });
});

describe('the environment under wine', () => {
  const lane = { prefix: '/lane/prefix', tree: '/lane a/tree' };

  it('hands on nothing of this machine but where its programs and its home are', () => {
    const env = { PATH: '/bin', HOME: '/home/ada', SECRET: 'x', DISPLAY: ':0', MCP_CONTROL_PANEL_HOME: '/h' };
    expect(Object.keys(wineEnvironment(lane, env)).sort()).toEqual([
      'HOME',
      'MCP_CONTROL_PANEL_UNDER_WINE',
      'NODE_OPTIONS',
      'NO_COLOR',
      'PATH',
      'WINEARCH',
      'WINEDEBUG',
      'WINEDLLOVERRIDES',
      'WINEPREFIX',
    ]);
  });

  it('loads the mends of wine into every Node, from a folder with blanks too', () => {
    expect(wineEnvironment(lane, {}).NODE_OPTIONS).toBe(
      '--require="Z:/lane a/tree/test/windows/keep-alive.cjs"',
    );
  });
});

describe('the chunks of a lane', () => {
  it('are each folder of the core, its own files, and each file of tests on real processes alone', () => {
    const files = [
      'test/core/quit.test.ts',
      'test/core/fake-clock.ts',
      'test/core/files/deep/a.test.ts',
      'test/core/files/b.test.ts',
      'test/core/gateway/live-calls.test.ts',
      'test/core/supervisor/custody/live-orphan-tree.test.ts',
    ];
    expect(wholeLane(files)).toEqual([
      { name: 'test/shared', patterns: ['test/shared/'] },
      { name: 'test/structure', patterns: ['test/structure/'] },
      { name: 'test/shell', patterns: ['test/shell/'] },
      { name: 'test/core/files', patterns: ['test/core/files/b.test.ts', 'test/core/files/deep/a.test.ts'] },
      { name: 'test/core', patterns: ['test/core/quit.test.ts'] },
      { name: 'test/core/gateway/live-calls.test.ts', patterns: ['test/core/gateway/live-calls.test.ts'] },
      {
        name: 'test/core/supervisor/custody/live-orphan-tree.test.ts',
        patterns: ['test/core/supervisor/custody/live-orphan-tree.test.ts'],
      },
    ]);
  });
});
