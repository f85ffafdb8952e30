import { describe, expect, it } from 'vitest';
import { describeError } from '../../scripts/lib/entry.mjs';
import { networkCode, npmFailure } from '../../scripts/lib/npm-problem.mjs';

const NO_NETWORK = `npm error code EAI_AGAIN
npm error syscall getaddrinfo
npm error network request to https://registry.example.org/zustand failed, reason: getaddrinfo EAI_AGAIN registry.example.org
npm error A complete log of this run can be found in: /home/ada/.npm/_logs/x.log
`;

describe('networkCode', () => {
  it('is the code of a failed connection, in npm’s own lines only', () => {
    expect(networkCode(NO_NETWORK)).toBe('EAI_AGAIN');
    expect(networkCode('npm error code E404\nnpm error 404 Not Found')).toBeUndefined();
    expect(networkCode('some-package: test of ECONNREFUSED')).toBeUndefined();
  });
});

describe('npmFailure', () => {
  const words = (output) => describeError(npmFailure('Installing packages', 'exit code 1', output));

  it('names the registry that cannot be reached, without npm’s own page of text', () => {
    const [first, second, ...rest] = words(NO_NETWORK).split('\n');
    expect(first).toBe(
      'Installing packages failed: the package registry https://registry.example.org cannot be reached (EAI_AGAIN).',
    );
    expect(second).toContain('Check the network');
    expect(rest).toEqual([]);
  });

  it('says that a disk is full', () => {
    expect(words('npm error code ENOSPC\nnpm error path /x/node_modules/y')).toMatch(
      /path \/x.*\n {2}The disk is full/s,
    );
  });

  it('shows whatever else npm said', () => {
    expect(words('npm error code E401\nnpm error Incorrect or missing password.')).toContain(
      'missing password',
    );
    expect(words('Segmentation fault')).toContain('Segmentation fault');
  });
});
