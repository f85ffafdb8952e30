import { utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { KnownClients } from '../../../electron/core/doorkeeper/known-clients.ts';
import { parseClients } from '../../../electron/core/gateway/auth/clients-form.ts';
import { hashToken } from '../../../electron/core/gateway/auth/tokens.ts';
import { propertyRuns } from '../../support/property-runs.ts';
import { sharedFolder } from '../../support/temp-folder.ts';

const home = sharedFolder('known-clients-');

const tokenOf = (index: number) => `mcpcp_${String(index).padStart(43, '0')}`;
const hashes = {
  good: (hash: string) => hash,
  short: (hash: string) => hash.slice(1),
  upper: (hash: string) => hash.toUpperCase(),
};
const odd = fc.oneof(fc.constant(undefined), fc.constant(null), fc.integer(), fc.constant(''), fc.string());
const mostly = <T>(usual: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 8, arbitrary: usual }, { weight: 1, arbitrary: odd });
const entry = fc.record({
  id: mostly(fc.oneof(fc.string({ minLength: 1, maxLength: 8 }), fc.constant('x'.repeat(65)))),
  name: mostly(fc.constantFrom('Claude Code', ' two ', 'é', 'a\nb', 'x'.repeat(65))),
  hash: fc.constantFrom<(keyof typeof hashes)[]>('good', 'good', 'good', 'short', 'upper'),
  servers: fc.oneof(fc.constant(undefined), fc.array(fc.constantFrom('one', 'two')), odd),
  scopes: fc.oneof(
    fc.constant(undefined),
    fc.constant(['mcp']),
    fc.constant(['metrics', 'mcp']),
    fc.constantFrom([], ['other']),
    odd,
  ),
});

/** What clients.json says of the index-th client. */
function written({ hash, ...rest }: { readonly hash: keyof typeof hashes }, index: number): object {
  return { ...rest, sha256: hashes[hash](hashToken(tokenOf(index))) };
}

/** Everyone whom the doorkeeper lets in is a client of the panel, with the same reach, whatever the file holds. */
it('lets nobody in whom the panel would not, and everyone as the panel does', () => {
  let at = 0;
  const known = new KnownClients(home);
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 4 }), (entries) => {
      const text = JSON.stringify({ version: 1, clients: entries.map(written) });
      writeFileSync(join(home, 'clients.json'), text);
      utimesSync(join(home, 'clients.json'), (at += 1), at);
      const parsed = parseClients({ kind: 'text', text, hasBom: false, signature: '' });
      for (const index of entries.keys()) {
        const ours = known.authenticate(tokenOf(index));
        const theirs =
          parsed.kind === 'parsed'
            ? parsed.entries.find(({ sha256 }) => sha256 === hashToken(tokenOf(index)))
            : undefined;
        expect(ours && [ours.id, ours.name, ours.servers, ours.scopes]).toEqual(
          theirs && [theirs.id, theirs.name, theirs.servers, theirs.scopes],
        );
      }
    }),
    { numRuns: propertyRuns(500) },
  );
});
