import { describe, expect, it } from 'vitest';
import { describeError } from '../../scripts/lib/entry.mjs';
import { npmFailure, registryCode, unreachable } from '../../scripts/lib/npm-problem.mjs';

const LOG = 'npm error A complete log of this run can be found in: /home/ada/.npm/_logs/x.log\n';
const NO_NETWORK = `npm error code EAI_AGAIN
npm error syscall getaddrinfo
npm error network request to https://registry.example.org/zustand failed, reason: getaddrinfo EAI_AGAIN registry.example.org
${LOG}`;

describe('registryCode', () => {
  it('is the code of a failed connection or a refusal, in npm’s own lines only', () => {
    expect(registryCode(NO_NETWORK)).toBe('EAI_AGAIN');
    for (const code of ['E401', 'E403', 'E404', 'E407', 'E503'])
      expect(registryCode(`npm error code ${code}\nnpm error x`)).toBe(code);
    expect(registryCode('npm error code ERESOLVE\nnpm error ERESOLVE')).toBeUndefined();
    expect(registryCode('some-package: test of ECONNREFUSED\ncode E404')).toBeUndefined();
  });
});

describe('npmFailure', () => {
  const words = (output, how = 'exit code 1', registry = undefined) =>
    describeError(npmFailure('Installing packages', how, output, registry));
  const coded = (code, ...lines) =>
    `${[`npm error code ${code}`, ...lines.map((line) => `npm error ${line}`)].join('\n')}\n${LOG}`;

  it.each([
    [
      NO_NETWORK,
      'Installing packages failed: the package registry https://registry.example.org cannot be reached (EAI_AGAIN).',
      'Check the network',
    ],
    [
      coded('E407', '407 Proxy Authentication Required - GET https://registry.example.org/zustand'),
      'Installing packages failed: the proxy on the way to the package registry https://registry.example.org asks for a sign-in (407).',
      'npm config set https-proxy "http://NAME:PASSWORD@HOST:PORT"',
    ],
    [
      coded('E401', '401 Unauthorized - GET https://name:pass@npm.example.org/sub/zustand - no'),
      'Installing packages failed: the package registry https://npm.example.org asks for a sign-in (E401).',
      'npm login --registry=https://npm.example.org;',
    ],
    [
      coded('E403', '403 403 Forbidden - GET https://registry.example.org/zustand', '403 In most cases, …'),
      'Installing packages failed: the package registry https://registry.example.org, or a proxy on the way, refuses access (E403).',
      'an account that may read there',
    ],
    [
      coded(
        'E404',
        '404 Not Found - GET https://registry.example.org/zustand - no',
        "404  The requested resource 'zustand@5.1.0' could not be found or you do not have permission to access it.",
      ),
      'Installing packages failed: the package registry https://registry.example.org does not have zustand@5.1.0 (E404).',
      'npm config set registry URL',
    ],
    [
      coded('ETARGET', 'notarget No matching version found for zustand@5.1.0.'),
      'Installing packages failed: the package registry https://in.use does not have zustand@5.1.0 (ETARGET).',
      'npm config set registry URL',
    ],
    [
      coded('E503', '503 Service Unavailable - GET https://registry.example.org/zustand'),
      'Installing packages failed: the package registry https://registry.example.org answers with an error of its own (E503).',
      'Wait a minute',
    ],
    [
      coded('EINTEGRITY', `sha512-${'x'.repeat(86)}== integrity checksum failed when using sha512`),
      'Installing packages failed: a package from the package registry https://in.use is not what package-lock.json names: its checksum differs (EINTEGRITY).',
      '"npm cache verify"',
    ],
    [
      coded('ENOSPC', 'path /x/node_modules/y', 'nospc ENOSPC: no space left on device, write'),
      'Installing packages failed: the disk is full for "/x/node_modules/y".',
      'Make room there',
    ],
    [
      'npm error Error: ENOSPC: no space left on device, request to https://registry.example.org failed, ECONNRESET',
      'Installing packages failed: the disk is full where npm was writing.',
      'Make room there',
    ],
    [
      coded('EACCES', 'path /home/ada/.npm/_cacache/tmp/x'),
      'Installing packages failed: npm may not write to its cache "/home/ada/.npm" (EACCES).',
      'sudo chown -R "$(id -un)" "/home/ada/.npm"',
    ],
    [
      coded('EACCES', 'path /c/x', '  sudo chown -R 1000:1000 "/c"'),
      'Installing packages failed: npm may not write to its cache "/c" (EACCES).',
      'sudo chown -R "$(id -un)" "/c"',
    ],
  ])('has words of its own for a known cause, in two lines: %#', (output, message, remedy) => {
    const [first, second, ...rest] = words(output, 'exit code 228', 'https://in.use/npm/').split('\n');
    expect(first).toBe(message);
    expect(second).toContain(remedy);
    expect(rest).toEqual([]);
  });

  it('names the signal that ended npm, which says nothing then', () => {
    expect(words('', 'signal SIGKILL').split('\n')).toEqual([
      'Installing packages failed: npm ended with signal SIGKILL, without a message.',
      '  Another program ended npm, or the system ran out of memory. Run the same command again.',
    ]);
    expect(words('\n', 'signal SIGTERM')).toContain('ended with signal SIGTERM');
  });

  it('shows whatever else npm said', () => {
    expect(words('npm error code ERESOLVE\nnpm error cannot resolve')).toContain('cannot resolve');
    expect(words(coded('EACCES', 'path /x/node_modules/y'))).toContain('path /x/node_modules/y');
    expect(words('Segmentation fault')).toContain('Segmentation fault');
  });

  it('names the registry that says nothing at all', () => {
    expect(unreachable('It', 'no answer within 10 s', 'https://in.use/').message).toBe(
      'It failed: the package registry https://in.use cannot be reached (no answer within 10 s).',
    );
    expect(unreachable('It', 'no answer', '').message).toContain('the package registry cannot');
  });
});
