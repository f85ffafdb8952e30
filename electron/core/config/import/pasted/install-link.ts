import { isJsonObject, type JsonObject } from '../../../../../shared/json-object.ts';
import { looksLikeCommandLine, splitCommandLine } from '../../../../../shared/command-line.ts';
import { addressOf } from '../entry-shape.ts';
import { nameOfEntry } from '../name-of-entry.ts';
import { inputHints } from '../entry-asks.ts';
import { type FoundServer, type Refusal, refusedSnippet } from './pasted-text.ts';
import { jsonIn } from './read-json.ts';

/** Maximum characters of a link; no entry is longer. */
const MAX_LINK_LENGTH = 65_536;
const LINK =
  /(?:cursor|vscode|vscode-insiders|vscodium|goose|lmstudio|kiro|windsurf):[^\s<>"'`)\]\\]+|https:\/\/(?:(?:insiders\.)?vscode\.dev|(?:www\.)?cursor\.com|lmstudio\.ai|kiro\.dev)\/[^\s<>"'`)\]\\]+/g;
/** Matches an install link whose JSON is not percent-encoded, so that it contains spaces. */
const PLAIN_JSON = /^(?:vscode|vscode-insiders):mcp\/install\?\s*\{[\s\S]*\}$/;

/** Finds install links in a text. Such a link installs a server in a client when a user clicks it. */
export function installLinksIn(text: string): readonly string[] {
  const whole = text.trim();
  if (PLAIN_JSON.test(whole)) return [whole];
  return [...new Set(text.match(LINK) ?? [])]
    .filter((link) => /mcp|extension|redirect/i.test(link))
    .slice(0, 100);
}

/** Returns the server of an install link; undefined for another link. */
export function serverOfLink(link: string): FoundServer | Refusal | undefined {
  if (link.length > MAX_LINK_LENGTH) return refusedSnippet('the install link is too long');
  const scheme = link.slice(0, link.indexOf(':'));
  const at = link.indexOf('?');
  const target = (at < 0 ? link : link.slice(0, at)).slice(scheme.length + 1);
  const query = at < 0 ? '' : (link.slice(at + 1).split('#', 1)[0] ?? '');
  const isVsCode = /^vscode/.test(scheme);
  if (isVsCode && /^\/{0,2}mcp\/install$/.test(target)) return ofVsCode(link.slice(at + 1), at >= 0);
  const parameters = new URLSearchParams(query);
  if (scheme === 'goose' && /^\/\/extension\/?$/.test(target)) return ofGoose(parameters);
  const nested = parameters.get('url');
  if (
    scheme === 'https' &&
    /vscode\.dev\/redirect$/.test(target) &&
    nested !== null &&
    /^vscode(-insiders)?:/.test(nested)
  )
    return serverOfLink(nested);
  const config = parameters.get('config');
  // Images of install buttons and pages about installing have similar addresses, but no `config` parameter.
  if (config === null) return at >= 0 && /mcp/i.test(target) ? refusedSnippet(UNREADABLE) : undefined;
  return ofConfig(parameters.get('name') ?? undefined, config, parameters.get('inputs'));
}

const UNREADABLE =
  'the install link contains no configuration that can be read: expected its JSON, percent-encoded or in base64';

function ofVsCode(payload: string, hasPayload: boolean): FoundServer | Refusal {
  const text = hasPayload ? decoded(payload) : undefined;
  const value = text === undefined ? undefined : jsonObject(text);
  return value === undefined ? refusedSnippet(UNREADABLE) : found(undefined, value, value['inputs']);
}

function ofConfig(name: string | undefined, config: string, inputs: string | null): FoundServer | Refusal {
  // An unencoded plus sign of base64 arrives as a blank.
  const value = jsonObject(config) ?? jsonObject(fromBase64(config.replaceAll(' ', '+')) ?? '');
  if (value === undefined) return refusedSnippet(UNREADABLE);
  return found(name, value, (inputs === null ? undefined : jsonIn(inputs)) ?? value['inputs']);
}

function found(name: string | undefined, value: JsonObject, inputs: unknown): FoundServer | Refusal {
  const inner = isJsonObject(value['mcpServers']) ? value['mcpServers'] : value;
  const [only] = Object.entries(inner);
  // Some links nest the entry below its name, as files do.
  const isNamed = inner !== value || (Object.keys(inner).length === 1 && isJsonObject(only?.[1]));
  const client = isNamed && isJsonObject(only?.[1]) ? only[1] : value;
  if (![client['command'], addressOf(client)].some((text) => typeof text === 'string'))
    return refusedSnippet(`${UNREADABLE} with a "command" or a "url"`);
  const { command, args } = client;
  const whole = args === undefined && typeof command === 'string' && looksLikeCommandLine(command);
  const words = whole ? splitCommandLine(command) : [];
  return {
    name: name ?? (isNamed ? only?.[0] : undefined) ?? nameOfEntry(client),
    client: whole ? { ...client, command: words[0], args: words.slice(1) } : client,
    hints: inputHints(inputs),
  };
}

function ofGoose(parameters: URLSearchParams): FoundServer | Refusal {
  const command = parameters.get('cmd');
  const url = parameters.get('url');
  if (command === null && url === null) return refusedSnippet(`${UNREADABLE}, or "cmd" and "arg"`);
  const args = parameters.getAll('arg');
  // Each `env` parameter contains the name of a variable, followed by an equals sign and a description.
  const variables = parameters.getAll('env').map((text) => {
    const [, name = text, description = ''] = /^([^=]*)=([\s\S]*)$/.exec(text) ?? [];
    return { name, description, placeholder: `<${name}>` };
  });
  const client =
    command === null
      ? { url }
      : {
          command,
          args,
          env: Object.fromEntries(variables.map(({ name, placeholder }) => [name, placeholder])),
        };
  return {
    name: parameters.get('id') ?? parameters.get('name') ?? nameOfEntry(client),
    client: variables.length === 0 && command !== null ? { command, args } : client,
    hints: new Map(
      variables.map(({ placeholder, description, name }) => [
        placeholder,
        { description: description || name },
      ]),
    ),
  };
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function fromBase64(text: string): string | undefined {
  if (!/^[A-Za-z0-9+/_-]+={0,2}$/.test(text)) return undefined;
  try {
    const bytes = Buffer.from(text.replaceAll('-', '+').replaceAll('_', '/'), 'base64');
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function jsonObject(text: string): JsonObject | undefined {
  const value = jsonIn(text);
  return isJsonObject(value) ? value : undefined;
}
