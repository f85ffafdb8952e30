import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  combinedName,
  combinedUri,
  mayBeOf,
  ownUri,
  plainItem,
} from '../../../../../electron/core/gateway/session/combined/names.ts';
import { serverNamePattern } from '../../../../../shared/server-names.ts';

const SAFE = /^[A-Za-z0-9_-]{1,58}$/;
const servers = fc.oneof(
  fc.stringMatching(/^[A-Za-z0-9._-]{1,64}$/).filter((name) => serverNamePattern.test(name)),
  fc.constantFrom('a', 'a_', 'a__b', 'git.hub', 'git-hub', 'git_hub', 'GitHub'),
);
const items = fc.oneof(
  fc.string({ minLength: 1, maxLength: 90 }),
  fc.constantFrom('b', '_b', 'b__c', 'c', '__'),
);

describe('names of tools among those of all servers', () => {
  it('say server and tool, and get a hash where that would be read in two ways', () => {
    expect(combinedName('github', 'create_issue')).toBe('github__create_issue');
    expect(combinedName('git.hub', 'x')).toMatch(/^git_hub__x_[0-9a-f]{12}$/);
    // A server that is named after the other's name with a hash would be called in its place.
    const other = combinedName('git.hub', 'x');
    expect(combinedName('git_hub', other.slice('git_hub__'.length))).not.toBe(other);
  });

  it('are short, safe and unique, and lead back to their server and tool', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.tuple(servers, items), { maxLength: 20, selector: String }), (pairs) => {
        const names = pairs.map(([server, item]) => combinedName(server, item));
        expect(new Set(names).size).toBe(names.length);
        for (const [at, name] of names.entries()) {
          const [server, item] = pairs[at]!;
          expect(name).toMatch(SAFE);
          expect(mayBeOf(server, name)).toBe(true);
          expect([undefined, item]).toContain(plainItem(server, name));
          for (const [other] of pairs) if (other !== server) expect(plainItem(other, name)).toBeUndefined();
        }
      }),
    );
  });
});

describe('addresses of resources among those of all servers', () => {
  it('are addresses that every reader takes, and lead back', () => {
    const uris = fc.webUrl().map(String);
    fc.assert(
      fc.property(servers, servers, uris, (server, other, uri) => {
        const combined = combinedUri(server, uri);
        expect(() => new URL(combined)).not.toThrow();
        expect(ownUri(server, combined)).toBe(uri);
        if (other !== server) expect(ownUri(other, combined)).toBeUndefined();
      }),
    );
  });
});
