import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ClientOptions } from '@modelcontextprotocol/sdk/client/index.js';
import { onTestFinished } from 'vitest';
import { serverAddress } from '../../../shared/gateway-use.ts';
import { createPanel, type ControlPanel } from '../../../electron/core/panel/control-panel.ts';
import {
  readMessages,
  readStarts,
  waitUntil,
  type CommandLine,
  type ReceivedMessage,
} from '../../fixtures/fixture-server.ts';
import {
  connectClient,
  type ConnectedClient,
  type Endpoint,
} from '../../fixtures/gateways/connect-client.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { panelOptions } from '../panel/open-test-panel.ts';

/** The one server of a live gateway. */
export const SERVER = 'one';

const LISTENING_MS = 10_000;

/** The whole core with one server, whose endpoint clients reach over HTTP. It ends with the test. */
export interface LiveGateway {
  readonly panel: ControlPanel;
  readonly home: string;
  /** Quits the panel and opens it again in the same home. Endpoints that were given out have another port then. */
  reopen(): Promise<void>;
  /** The endpoint as it is now. */
  moved(endpoint: Endpoint): Endpoint;
  /** Of the server, for a client with a token of its own. */
  endpoint(): Promise<Endpoint>;
  /** The same for several. */
  endpoints(count: number): Promise<readonly Endpoint[]>;
  /** The pid of every start of the server, oldest first. */
  starts(): number[];
  /** What the server was sent, oldest first. */
  received(): ReceivedMessage[];
}

/** Files that the fixture server writes. */
export interface Records {
  readonly startLog: string;
  readonly messageLog: string;
}

/** The flags that make the fixture server write both. */
export const recording = ({ startLog, messageLog }: Records): string[] => [
  `--start-log=${startLog}`,
  `--message-log=${messageLog}`,
];

export async function openLiveGateway(
  server: (records: Records) => CommandLine,
  panelSettings: object = {},
): Promise<LiveGateway> {
  const home = tempFolder('live-gateway-');
  const records = { startLog: join(home, 'starts'), messageLog: join(home, 'messages') };
  const entry = { ...server(records), panel: panelSettings };
  writeFileSync(join(home, 'servers.json'), JSON.stringify({ mcpServers: { [SERVER]: entry } }));
  writeFileSync(join(home, 'settings.json'), JSON.stringify({ version: 1, gateway: { port: 0 } }));
  const open = async () => {
    const opened = await createPanel(panelOptions(home));
    opened.start();
    const isListening = () => opened.gateway.status().port !== 0;
    await waitUntil(isListening, { deadlineMs: LISTENING_MS, describe: 'the gateway listens' });
    return opened;
  };
  let panel = await open();
  onTestFinished(() => panel.dispose());
  let clients = 0;
  const endpoint = async () => {
    const { token } = await panel.gateway.createClient({ name: `client ${(clients += 1)}` });
    return moved({ url: '', token });
  };
  const moved = (endpoint: Endpoint) => ({
    ...endpoint,
    url: serverAddress(panel.gateway.status().url, SERVER),
  });
  return {
    get panel() {
      return panel;
    },
    home,
    reopen: async () => {
      await panel.dispose();
      panel = await open();
    },
    moved,
    endpoint,
    endpoints: (count) => Promise.all(Array.from({ length: count }, endpoint)),
    starts: () => readStarts(records.startLog),
    received: () => readMessages(records.messageLog),
  };
}

/** A client of the SDK, which is closed with the test. */
export async function connectTo(endpoint: Endpoint, options: ClientOptions = {}): Promise<ConnectedClient> {
  const connected = await connectClient(endpoint, options);
  onTestFinished(connected.close);
  return connected;
}
