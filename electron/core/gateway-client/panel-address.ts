import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { parse } from 'jsonc-parser';
import { isJsonObject } from '../../../shared/json-object.ts';
import { ownValue } from '../../../shared/own-value.ts';
import { pathIn } from '../config/programs/paths.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Returns the panel's data folder, determined as in the app (`shell/app/app-paths.ts`), but without Electron. */
export function panelHome(env: Environment, platform = process.platform, userHome = homedir()): string {
  const wanted = env['MCP_CONTROL_PANEL_HOME'];
  if (wanted) return resolve(wanted);
  const { APPDATA: appData, XDG_CONFIG_HOME: xdgConfigHome } = env;
  const folders = {
    ...(appData && { appData }),
    ...(xdgConfigHome && isAbsolute(xdgConfigHome) && { xdgConfigHome }),
  };
  return pathIn({ home: userHome, platform, ...folders }, '<app>/mcp-control-panel');
}

/** Must equal the value in `shared/settings.ts`, not imported because its schemas take longer to load than all the rest here. */
export const DEFAULT_PORT = 7411;

/** Settings of the gateway that other programs, such as the bridge, read from the data folder. */
interface GatewayAddress {
  /** Port on which clients reach the panel; undefined if it differs at each start, or the gateway is switched off. */
  readonly port: number | undefined;
  /** True if the user lets clients start the panel. */
  readonly startsWithClients: boolean;
}

/** Fields of the group `gateway` in settings.json that must be boolean if they are present. */
const FLAGS = ['enabled', 'startOnDemand', 'metrics', 'startWithClients'];

/** Reads the settings as the panel does, so a group with any wrong value gets its defaults. */
export function gatewayAddress(home: string): GatewayAddress {
  const settings: unknown = parse(readText(join(home, 'settings.json')));
  const group = isJsonObject(settings) ? settings['gateway'] : undefined;
  const gateway = isJsonObject(group) ? group : {};
  const { enabled, port = DEFAULT_PORT, startWithClients } = gateway;
  if (!isPort(port) || !FLAGS.every((key) => isFlag(ownValue(gateway, key))))
    return { port: DEFAULT_PORT, startsWithClients: false };
  const isReachable = enabled !== false && port !== 0;
  return { port: isReachable ? port : undefined, startsWithClients: startWithClients === true };
}

const isFlag = (value: unknown): boolean => value === undefined || typeof value === 'boolean';

const isPort = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 65_535;

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8').replace(/^\uFEFF/, '');
  } catch {
    return '{}'; // Without settings.json, all settings have their defaults.
  }
}
