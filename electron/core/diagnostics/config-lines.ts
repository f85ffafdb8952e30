import type { ServerConfig } from '../../../shared/server-config.ts';
import { maskedTarget } from '../journal/config-secrets.ts';
import { PLACEHOLDER } from '../journal/secret-patterns.ts';

/**
 * An entry for people who help: every value of a variable or header is blacked out, whatever it looks like, and so are
 * passwords, queries and random parts of URLs. The caller redacts the lines once more.
 */
export function configLines(config: ServerConfig): readonly string[] {
  const { name, enabled, panel, transport } = config;
  return [
    `${name} (${transport}${enabled ? '' : ', disabled'})`,
    `  ${transport === 'stdio' ? 'command' : 'address'}: ${maskedTarget(config)}`,
    ...(config.transport === 'stdio' ? processLines(config) : remoteLines(config)),
    `  panel: ${JSON.stringify(panel)}`,
  ];
}

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
