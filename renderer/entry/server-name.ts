import { serverNamePattern } from '../../shared/server-names.ts';

/**
 * Problem of a server name; undefined for a valid one.
 * @param takenNames names of the other servers
 */
export function nameProblem(name: string, takenNames: readonly string[]): string | undefined {
  if (name === '') return 'A name is needed.';
  if (!serverNamePattern.test(name)) return 'Letters, digits, dots, underscores and hyphens; at most 64.';
  return takenNames.includes(name) ? `There is a server named ${name} already.` : undefined;
}
