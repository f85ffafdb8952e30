import { describe, expect, it } from 'vitest';
import { missingLibraries, namesInRelease, packagesFor } from '../../scripts/lib/linux-system.mjs';

const LDD = `/opt/electron/electron:
\tlinux-vdso.so.1 (0x00007ffd)
\tlibffmpeg.so => /opt/electron/libffmpeg.so (0x00007f01)
\tlibnss3.so => not found
\tlibnssutil3.so => not found
\tlibgtk-3.so.0 => not found
\tlibc.so.6 => /lib/x86_64-linux-gnu/libc.so.6 (0x00007f02)
/opt/electron/libEGL.so:
\tlibnss3.so => not found
`;

const POLICY = `libgtk-3-0:
  Installed: (none)
  Candidate: (none)
  Version table:
libgtk-3-0t64:
  Installed: (none)
  Candidate: 3.24.41-4
  Version table:
     3.24.41-4 500
libnss3:
  Installed: 2:3.98
  Candidate: 2:3.98
  Version table:
 *** 2:3.98 100
`;

describe('missingLibraries', () => {
  it('names each library that ldd did not find, once', () => {
    expect(missingLibraries(LDD)).toEqual(['libgtk-3.so.0', 'libnss3.so', 'libnssutil3.so']);
  });

  it('names nothing when all are found', () => {
    expect(missingLibraries('\tlibc.so.6 => /lib/libc.so.6 (0x1)\n\tstatically linked\n')).toEqual([]);
  });
});

describe('packagesFor', () => {
  it('names a package once when it holds several of the libraries', () => {
    const { packages, unknown } = packagesFor(['libnss3.so', 'libnssutil3.so', 'libgtk-3.so.0']);
    expect(packages).toEqual(['libgtk-3-0', 'libnss3']);
    expect(unknown).toEqual([]);
  });

  it('keeps apart what no package is known for', () => {
    expect(packagesFor(['libstrange.so.9', 'libasound.so.2'])).toEqual({
      packages: ['libasound2'],
      unknown: ['libstrange.so.9'],
    });
  });
});

describe('namesInRelease', () => {
  it('takes the t64 name where only that one can be installed', () => {
    expect(namesInRelease(['libgtk-3-0', 'libnss3'], POLICY)).toEqual(['libgtk-3-0t64', 'libnss3']);
  });

  it('keeps the plain name when the release knows neither, so that apt names it', () => {
    expect(namesInRelease(['libasound2'], POLICY)).toEqual(['libasound2']);
    expect(namesInRelease(['libasound2'], '')).toEqual(['libasound2']);
  });
});
