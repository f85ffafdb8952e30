import { ownValue } from '../../../shared/own-value.ts';
type Environment = Readonly<Record<string, string | undefined>>;

/** Value of a variable. Windows takes `Path` and `PATH` for the same name; of several it means the last here. */
export function variableOf(
  environment: Environment,
  name: string,
  platform: NodeJS.Platform,
): string | undefined {
  if (platform !== 'win32') return ownValue(environment, name);
  const wanted = name.toUpperCase();
  return Object.entries(environment)
    .filter(([other, value]) => value !== undefined && other.toUpperCase() === wanted)
    .at(-1)?.[1];
}

/**
 * One environment of several, of which a later one wins. On Windows a name in another case is the same name; it is spelled
 * as the winner spells it, because Node.js would take the first of both spellings by alphabet.
 */
export function mergeEnvironments(
  platform: NodeJS.Platform,
  ...environments: readonly Readonly<Record<string, string>>[]
): Record<string, string> {
  if (platform !== 'win32')
    return Object.fromEntries(environments.flatMap((environment) => Object.entries(environment)));
  const merged = new Map<string, readonly [name: string, value: string]>();
  for (const environment of environments)
    for (const [name, value] of Object.entries(environment)) merged.set(name.toUpperCase(), [name, value]);
  return Object.fromEntries(merged.values());
}
