import { parsedUrl } from '../../../shared/parsed.ts';
import { homedir } from 'node:os';
import { isAbsolute, sep } from 'node:path';
import { PanelError } from '../../../shared/error-codes.ts';
import type { ServerConfig } from '../../../shared/server-config.ts';
import {
  referencesIn,
  replaceReferences,
  scriptStart,
  type Reference,
  type ReferencePlace,
} from './references.ts';

/** Functions that supply the values of references. */
export interface ReferenceSources {
  readonly secret: (name: string) => string | undefined;
  /** Returns the value of a variable of the user's environment. */
  readonly variable: (name: string) => string | undefined;
  /** True if a text that looks like a placeholder is to be used literally. */
  readonly isMeant: (reference: Reference) => boolean;
}

/** Path of a text within a server's entry, such as `['env', 'TOKEN']`. */
export type PlaceInEntry = readonly (string | number)[];

export interface PlacedReference {
  readonly place: PlaceInEntry;
  readonly reference: Reference;
  /** The whole text that contains the reference. */
  readonly source: string;
}

export interface ResolvedConfig<C extends ServerConfig = ServerConfig> {
  readonly config: C;
  /** References that have no value and are not meant literally. */
  readonly missing: readonly PlacedReference[];
  /** Names of the secrets whose values were inserted into the definition. */
  readonly used: ReadonlySet<string>;
  /**
   * Values of variables that were inserted into the definition. Each is listed twice, because either name may show that it is
   * secret: the variable's own, and the name at its place in the entry (such as that of a header).
   */
  readonly variables: readonly { readonly name: string; readonly value: string }[];
}

type Change = (text: string, kind: ReferencePlace, place: PlaceInEntry) => string;

/** Returns the definition with `change` applied to each of its texts. */
function mapTexts<C extends ServerConfig>(config: C, change: Change): C;
function mapTexts(config: ServerConfig, change: Change): ServerConfig {
  const fields = (part: 'env' | 'headers', values: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(values).map(([key, text]) => [key, change(text, part, [part, key])]));
  if (config.transport !== 'stdio')
    return {
      ...config,
      url: change(config.url, 'url', ['url']),
      headers: fields('headers', config.headers),
    };
  const { command, args, cwd } = config;
  const script = scriptStart(command, args);
  return {
    ...config,
    command: change(command, 'command', ['command']),
    args: args.map((text, index) => change(text, index < script ? 'args' : 'script', ['args', index])),
    env: fields('env', config.env),
    ...(cwd !== undefined && { cwd: change(cwd, 'cwd', ['cwd']) }),
  };
}

/** All references of a definition. */
export function referencesOf(config: ServerConfig): readonly PlacedReference[] {
  const found: PlacedReference[] = [];
  mapTexts(config, (text, kind, place) => {
    found.push(...referencesIn(text, kind).map((reference) => ({ place, reference, source: text })));
    return text;
  });
  return found;
}

/** Name of the secret that stores the value of an input. */
export const secretOfInput = (id: string): string => id.replace(/[^A-Za-z0-9_.-]/g, '_').slice(0, 64);

/** Names of the secrets that a definition refers to. */
export function secretsIn(config: ServerConfig): ReadonlySet<string> {
  return new Set(
    referencesOf(config).flatMap(({ reference: { kind, name } }) =>
      kind === 'secret' ? [name] : kind === 'input' ? [secretOfInput(name)] : [],
    ),
  );
}

/**
 * Replaces the references of a definition by their values, in one pass: a value is not searched for further references. @throws
 * PanelError CONFIG_INVALID if a value is not allowed at its place
 */
export function resolveReferences<C extends ServerConfig>(
  config: C,
  sources: ReferenceSources,
): ResolvedConfig<C> {
  const missing: PlacedReference[] = [];
  const used = new Set<string>();
  const variables: { name: string; value: string }[] = [];
  const resolved = mapTexts(config, (text, kind, place) => {
    const references = referencesIn(text, kind);
    if (references.length === 0) return text;
    const replaced = replaceReferences(text, references, (reference) => {
      requirePlace(config.name, reference, kind);
      const value = valueOf(reference, sources);
      if (value === undefined && !sources.isMeant(reference))
        missing.push({ place, reference, source: text });
      if (value === undefined) return undefined;
      if (reference.kind === 'secret') used.add(reference.name);
      if (reference.kind === 'input') used.add(secretOfInput(reference.name));
      if (reference.kind === 'variable')
        variables.push({ name: reference.name, value }, { name: String(place.at(-1)), value });
      return value;
    });
    requireFits(config.name, replaced, kind, place);
    return replaced;
  });
  return { config: resolved, missing, used, variables };
}

function valueOf({ kind, name, fallback }: Reference, sources: ReferenceSources): string | undefined {
  switch (kind) {
    case 'secret':
      return sources.secret(name);
    case 'input':
      return sources.secret(secretOfInput(name));
    case 'variable':
      return nonEmpty(sources.variable(name)) ?? fallback ?? sources.variable(name);
    case 'known':
      return name === 'userHome' ? homedir() : sep;
    case 'literal':
      return name;
    case 'placeholder':
      return undefined;
  }
}

const nonEmpty = (text: string | undefined): string | undefined => (text === '' ? undefined : text);

/**
 * Rejects references to secrets and inputs in a command or working folder. A command is visible in every process list, and both
 * decide what runs.
 */
function requirePlace(server: string, { kind, text }: Reference, place: ReferencePlace): void {
  if ((place !== 'command' && place !== 'cwd') || (kind !== 'secret' && kind !== 'input')) return;
  throw new PanelError('CONFIG_INVALID', `${server}: ${text} cannot be used in "${place}".`, {
    remedy: 'A secret can be used in env, args, headers and url.',
    data: { field: place },
  });
}

function requireFits(server: string, text: string, kind: ReferencePlace, place: PlaceInEntry): void {
  const fits =
    kind === 'url'
      ? isHttpUrl(text)
      : kind === 'headers'
        ? HEADER_VALUE.test(text)
        : !text.includes('\0') && (kind !== 'cwd' || isAbsolute(text));
  if (fits) return;
  const what =
    kind === 'url'
      ? 'does not make an http: or https: URL'
      : kind === 'cwd'
        ? 'does not make an absolute path'
        : 'has characters that are not allowed there';
  throw new PanelError('CONFIG_INVALID', `${server}: the value for ${place.join('.')} ${what}.`, {
    data: { field: place.join('.') },
  });
}

const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

const isHttpUrl = (text: string): boolean => /^https?:$/.test(parsedUrl(text)?.protocol ?? '');
