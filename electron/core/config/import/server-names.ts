import { isDeepStrictEqual } from 'node:util';
import type { ServerEntry } from '../../../../shared/server-config.ts';
import { LONGEST_SERVER_NAME } from '../../../../shared/server-names.ts';

const NAMELESS = 'server';

/** Gives out names for servers.json: two different entries never get the same one, two equal ones of one name share it. */
export class ServerNames {
  readonly #taken = new Map<string, ServerEntry>();

  /** The name for `entry`, which its client calls `original`; `-2`, `-3` and so on where it is taken. */
  nameFor(original: string, entry: ServerEntry): { readonly name: string; readonly isKnown: boolean } {
    const base = validName(original);
    for (let count = 1; ; count += 1) {
      const name = count === 1 ? base : withSuffix(base, `-${count}`);
      const holder = this.#taken.get(name);
      if (holder === undefined) {
        this.#taken.set(name, entry);
        return { name, isKnown: false };
      }
      if (isDeepStrictEqual(holder, entry)) return { name, isKnown: true };
    }
  }
}

/** The nearest valid name: accents go, everything else that is not allowed becomes a hyphen. */
export function validName(original: string): string {
  const name = original
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, LONGEST_SERVER_NAME);
  return /^\.{0,2}$/.test(name) ? NAMELESS : name;
}

function withSuffix(base: string, suffix: string): string {
  return base.slice(0, LONGEST_SERVER_NAME - suffix.length) + suffix;
}
