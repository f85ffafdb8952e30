import { defaultPanelSettings } from '../../../shared/panel-settings.ts';
import type { ServerConfig } from '../../../shared/server-config.ts';
import { PLACEHOLDER } from '../../../shared/secrets/known-forms.ts';
import { maskedTarget } from '../journal/config-secrets.ts';

/**
 * Returns the configuration of a server as lines for a support report. Values of variables and headers are always redacted, and
 * so are passwords, queries and random parts of URLs. The caller redacts the lines once more.
 */
export function configLines(config: ServerConfig): readonly string[] {
  const { name, enabled, panel, transport } = config;
  return [
    `${name} (${transport}${enabled ? '' : ', disabled'})`,
    `  ${transport === 'stdio' ? 'command' : 'address'}: ${maskedTarget(config)}`,
    ...(config.transport === 'stdio' ? processLines(config) : remoteLines(config)),
    `  panel: ${panelWords(panel)}`,
  ];
}

/** Returns the settings that differ from the defaults, as text. */
function panelWords(panel: ServerConfig['panel']): string {
  const usual = new Set(flat(defaultPanelSettings));
  const own = flat(panel).filter((setting) => !usual.has(setting));
  return own.length === 0 ? 'as by default' : own.join(', ');
}

/** Flattens settings to lines such as `health.onStall restart`. */
const flat = (value: object, path = ''): readonly string[] =>
  Object.entries(value).flatMap(([key, item]) =>
    typeof item === 'object' && item !== null
      ? flat(item as object, `${path}${key}.`)
      : [`${path}${key} ${String(item)}`],
  );

function processLines({ cwd, env }: Extract<ServerConfig, { transport: 'stdio' }>): readonly string[] {
  return [
    ...(cwd === undefined ? [] : [`  cwd: ${cwd}`]),
    ...Object.keys(env).map((name) => `  env ${name}: ${PLACEHOLDER}`),
  ];
}

function remoteLines({ headers, tls }: Exclude<ServerConfig, { transport: 'stdio' }>): readonly string[] {
  return [
    ...Object.keys(headers).map((name) => `  header ${name}: ${PLACEHOLDER}`),
    ...(tls === undefined ? [] : [`  tls: ${JSON.stringify(tls)}`]),
  ];
}
