import { isDeepStrictEqual } from 'node:util';
import { choiceBounds, numberBounds } from '../../../shared/bounds.ts';
import { connectionFields, type ServerConfig } from '../../../shared/server-config.ts';
import { isJsonObject, type JsonObject } from '../../../shared/json-object.ts';
import { ownValue, valueAt } from '../../../shared/own-value.ts';

/** Names of the servers that differ between two configurations. No name is in two of the lists. */
export interface ConfigDiff {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  /** Servers that must be restarted, because their connection (such as the command or URL) or their caps have changed. */
  readonly reconnect: readonly string[];
  /** Servers of which only supervision settings or `disabled` have changed; applied while they run. */
  readonly panelChanged: readonly string[];
}

export function diffConfigs(before: readonly ServerConfig[], after: readonly ServerConfig[]): ConfigDiff {
  const old = new Map(before.map((server) => [server.name, server]));
  const names = new Set(after.map((server) => server.name));
  const namesWhere = (test: (server: ServerConfig, previous: ServerConfig) => boolean) =>
    after.flatMap((server) => {
      const previous = old.get(server.name);
      return previous !== undefined && test(server, previous) ? [server.name] : [];
    });
  return {
    added: after.filter(({ name }) => !old.has(name)).map(({ name }) => name),
    removed: before.filter(({ name }) => !names.has(name)).map(({ name }) => name),
    reconnect: namesWhere((server, previous) => !isSameConnection(server, previous)),
    panelChanged: namesWhere(
      (server, previous) => isSameConnection(server, previous) && !isDeepStrictEqual(server, previous),
    ),
  };
}

/**
 * True if a server is reached in the same way in both configurations, and its caps are the same. Caps (operating-system limits
 * of the process) can only be set at its start.
 */
export function isSameConnection(one: ServerConfig, other: ServerConfig): boolean {
  const fieldsOf = (config: ServerConfig) => [connectionFields(config), config.panel.caps];
  return isDeepStrictEqual(fieldsOf(one), fieldsOf(other));
}

/**
 * Returns the names of the fields that differ between two definitions of a server, written as in servers.json: `args`,
 * `env.TOKEN`, `panel.limits.maxMemoryMiB`. The values are left out, because they may be secrets.
 */
export function changedFields(before: ServerConfig | undefined, after: ServerConfig | undefined): string[] {
  if (before === undefined || after === undefined) return [];
  return differences(entryForm(before), entryForm(after));
}

/** A changed supervision setting, with both its values. */
export interface SettingChange {
  /** Path of the setting in the entry: `panel.limits.maxMemoryMiB`. */
  readonly field: string;
  readonly from: SettingValue;
  readonly to: SettingValue;
}

type SettingValue = number | string | boolean;

/**
 * Returns changed settings with their values. Only settings that the panel defines are included: their values are numbers and
 * choices; other values of an entry may be secret.
 */
export function changedSettings(
  before: ServerConfig | undefined,
  after: ServerConfig | undefined,
): SettingChange[] {
  return changedFields(before, after).flatMap((field) => {
    const [from, to] = [settingAt(before?.panel, field), settingAt(after?.panel, field)];
    return from === undefined || to === undefined ? [] : [{ field, from, to }];
  });
}

function settingAt(panel: unknown, field: string): SettingValue | undefined {
  const path = field.replace(/^panel\./, '');
  if (path === field || !(Object.hasOwn(numberBounds, path) || Object.hasOwn(choiceBounds, path)))
    return undefined;
  const value = valueAt(panel, path.split('.'));
  return typeof value === 'number' || typeof value === 'string' || typeof value === 'boolean'
    ? value
    : undefined;
}

function entryForm({ name: _, enabled, transport, ...fields }: ServerConfig): JsonObject {
  return { ...fields, type: transport, disabled: !enabled };
}

function differences(before: JsonObject, after: JsonObject, path = ''): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].flatMap((name) => {
    const [old, now] = [ownValue(before, name), ownValue(after, name)];
    if (isDeepStrictEqual(old, now)) return [];
    const field = `${path}${name}`;
    return isJsonObject(old) && isJsonObject(now) ? differences(old, now, `${field}.`) : [field];
  });
}
