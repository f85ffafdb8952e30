import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { DEFAULT_PORT, gatewayAddress } from '../../../electron/core/gateway-client/panel-address.ts';
import { parseSettings } from '../../../electron/core/settings/parse-settings.ts';
import { defaultSettings } from '../../../shared/settings.ts';
import { tempFolder } from '../../support/temp-folder.ts';

let home: string;
beforeEach(() => (home = tempFolder('panel-address-')));

/** As the panel itself reads it. */
function addressOfPanel(text: string) {
  const parsed = parseSettings(text);
  const { gateway } = parsed.kind === 'parsed' ? parsed.settings : defaultSettings;
  const isReachable = gateway.enabled && gateway.port !== 0;
  return { port: isReachable ? gateway.port : undefined, startsWithClients: gateway.startWithClients };
}

describe('gatewayAddress', () => {
  it('has the defaults of the settings where there is no file', () => {
    const { port, startWithClients } = defaultSettings.gateway;
    expect(DEFAULT_PORT).toBe(port);
    expect(gatewayAddress(home)).toEqual({ port, startsWithClients: startWithClients });
  });

  it.each([
    '{}',
    '{ "gateway": {} }',
    '{ "gateway": { "port": 4711, "startWithClients": true } } // by hand',
    '{ "gateway": { "startWithClients": false, }, }',
    '{ "gateway": { "enabled": false, "startWithClients": true } }',
    '{ "gateway": { "port": 0 } }',
    // A group with a wrong value has its defaults.
    '{ "gateway": { "port": "4711", "startWithClients": true } }',
    '{ "gateway": { "port": 70000 } }',
    '{ "gateway": { "port": 47.11 } }',
    '{ "gateway": { "port": -1 } }',
    '{ "gateway": { "port": null } }',
    '{ "gateway": { "port": 4711, "startWithClients": "yes" } }',
    '{ "gateway": { "port": 4711, "enabled": 0 } }',
    '{ "gateway": { "port": 4711, "metrics": 1, "startWithClients": true } }',
    '{ "gateway": { "port": 4711, "startOnDemand": "no" } }',
    '{ "gateway": [4711] }',
    '{ "theme": 1, "gateway": { "port": 4711 } }',
  ])('reads %s as the panel does', (text) => {
    writeFileSync(join(home, 'settings.json'), text);
    expect(gatewayAddress(home)).toEqual(addressOfPanel(text));
  });
});
