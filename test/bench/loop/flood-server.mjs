// A server of the bench that floods its panel in one way, named by its only argument, or answers quietly (`quiet`). It ends at
// the end of its stdin.
import { createInterface } from 'node:readline';

const MEBI = 1024 * 1024;
const TOOLS_PER_PAGE = 1000;
const NOTIFICATIONS_PER_S = 100_000;
const BATCH_MS = 10;
/** More than this waiting for the panel to read is enough. */
const MAX_WAITING_BYTES = 4 * MEBI;

const kind = process.argv[2];
const repeated = (/** @type {string} */ unit, /** @type {number} */ bytes) =>
  unit.repeat(Math.floor(bytes / unit.length));
const message = (/** @type {string} */ data) =>
  `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":${data}}}\n`;

/** @type {Readonly<Record<string, () => void>>} What begins with the session. */
const floods = {
  nested: () => writeForEver(message(`[${repeated('[[[[[[[[]]]]]]]],', 15 * MEBI)}0]`)),
  notifications: () => {
    const batch = message('1').repeat((NOTIFICATIONS_PER_S * BATCH_MS) / 1000);
    setInterval(() => {
      if (process.stdout.writableLength < MAX_WAITING_BYTES) process.stdout.write(batch);
    }, BATCH_MS);
  },
};

let listed = 0;
const smallObjects = kind === 'answers' ? `[${repeated('{"a":1},', 16 * MEBI - 1000)}{}]` : '[]';
/** @type {Readonly<Record<string, (params: { protocolVersion?: string }) => string>>} */
const answers = {
  initialize: ({ protocolVersion }) =>
    JSON.stringify({
      protocolVersion,
      capabilities: { tools: {}, logging: {} },
      serverInfo: { name: 'flood', version: '1' },
    }),
  ping: () => '{}',
  'logging/setLevel': () => '{}',
  'tools/list': () => {
    if (kind !== 'tools') return '{"tools":[]}';
    const tools = Array.from({ length: TOOLS_PER_PAGE }, () => ({
      name: `tool_${(listed += 1)}`,
      description: 'What it does, in a sentence of some length that a person could read.',
      inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
    }));
    return JSON.stringify({ tools, nextCursor: String(listed) });
  },
  'tools/call': () =>
    `{"content":[{"type":"text","text":"here"}],"structuredContent":{"list":${smallObjects}}}`,
};

for await (const line of createInterface(process.stdin)) {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) {
    if (method === 'notifications/initialized') floods[kind]?.();
  } else {
    const result = answers[method]?.(params ?? {});
    const outcome =
      result === undefined ? '"error":{"code":-32601,"message":"unknown"}' : `"result":${result}`;
    process.stdout.write(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},${outcome}}\n`);
  }
}
process.exit(0);

/** @param {string} line */
function writeForEver(line) {
  while (process.stdout.writableLength < MAX_WAITING_BYTES) process.stdout.write(line);
  process.stdout.once('drain', () => writeForEver(line));
}
