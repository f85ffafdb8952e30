import type { Ask } from '../../../../shared/asks.ts';
import type { ServerEntry } from '../../../../shared/server-config.ts';

/** A server that a block names: name, entry, and the keys of its asks with their placeholders. */
export type Expected = readonly [name: string, entry: ServerEntry, asks?: readonly Partial<Ask>[]];

export interface ReadmeBlock {
  readonly title: string;
  readonly text: string;
  readonly servers: readonly Expected[];
  /** Part of what is said about the first server, or about the whole where there is none. */
  readonly said?: string;
}

const stock: ServerEntry = { command: 'npx', args: ['-y', '@acme/stock-server'] };
const stockAsk: Partial<Ask> = { where: 'env', key: 'STOCK_TOKEN', secret: true };
const withToken = (token: string): ServerEntry => ({ ...stock, env: { STOCK_TOKEN: token } });
const remote: ServerEntry = { type: 'http', url: 'https://mcp.stock.example/mcp' };
const encode = (value: unknown): string => encodeURIComponent(JSON.stringify(value));
const base64 = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64');

/** The forms in which READMEs show a server, one block each. */
export const readmeBlocks: readonly ReadmeBlock[] = [
  {
    title: 'mcpServers in a fence',
    text: `Add this to your settings:\n\n\`\`\`json\n{\n  "mcpServers": {\n    "stock": {\n      "command": "npx",\n      "args": ["-y", "@acme/stock-server"],\n      "env": { "STOCK_TOKEN": "<YOUR_TOKEN>" }\n    }\n  }\n}\n\`\`\`\n`,
    servers: [['stock', withToken('<YOUR_TOKEN>'), [{ ...stockAsk, placeholder: '<YOUR_TOKEN>' }]]],
  },
  {
    title: 'servers and inputs of VS Code',
    text: JSON.stringify({
      inputs: [
        { id: 'stock-token', type: 'promptString', description: 'Token of the stock', password: true },
      ],
      servers: { stock: { type: 'stdio', ...withToken('${input:stock-token}') } },
    }),
    servers: [
      [
        'stock',
        withToken('${input:stock-token}'),
        [{ ...stockAsk, id: '${input:stock-token}', label: 'Token of the stock', kind: 'value' }],
      ],
    ],
  },
  {
    title: 'claude mcp add',
    text: 'claude mcp add stock npx -y @acme/stock-server',
    servers: [['stock', stock]],
  },
  {
    title: 'claude mcp add with variables and --',
    text: '```bash\nclaude mcp add stock --scope user \\\n  -e STOCK_TOKEN=YOUR_API_KEY_HERE -- npx -y @acme/stock-server\n```',
    servers: [['stock', withToken('YOUR_API_KEY_HERE'), [{ ...stockAsk, placeholder: 'YOUR_API_KEY_HERE' }]]],
  },
  {
    title: 'claude mcp add --transport http',
    text: 'claude mcp add --transport http stock https://mcp.stock.example/mcp -H "Authorization: Bearer <token>"',
    servers: [
      [
        'stock',
        { ...remote, headers: { Authorization: 'Bearer <token>' } },
        [{ where: 'header', key: 'Authorization', placeholder: '<token>', secret: true }],
      ],
    ],
  },
  {
    title: 'claude mcp add-json',
    text: `claude mcp add-json stock '{\n  "type": "stdio", "command": "npx",\n  "args": ["-y", "@acme/stock-server"]\n}' -s user`,
    servers: [['stock', stock]],
  },
  {
    title: 'tables of Codex',
    text: 'In ~/.codex/config.toml:\n\n[mcp_servers.stock]\ncommand = "npx"\nargs = ["-y", "@acme/stock-server"]\n\n[mcp_servers.stock.env]\nSTOCK_TOKEN = "your-token"\n\n[mcp_servers.prices]\nurl = "https://mcp.stock.example/mcp"\nbearer_token_env_var = "PRICES_TOKEN"\n',
    servers: [
      ['stock', withToken('your-token'), [{ ...stockAsk, placeholder: 'your-token' }]],
      [
        'prices',
        {
          url: 'https://mcp.stock.example/mcp',
          headers: { Authorization: 'Bearer ${env:PRICES_TOKEN}' },
        },
        [
          {
            where: 'header',
            kind: 'environment',
            variable: 'PRICES_TOKEN',
            label: 'PRICES_TOKEN',
            secret: true,
          },
        ],
      ],
    ],
  },
  { title: 'a line of npx', text: 'npx -y @acme/stock-server', servers: [['stock-server', stock]] },
  {
    title: 'npx behind a prompt in a fence',
    text: '```console\n$ STOCK_TOKEN=xxxx npx -y @acme/stock-server\n```',
    servers: [['stock-server', withToken('xxxx'), [{ ...stockAsk, placeholder: 'xxxx' }]]],
  },
  {
    title: 'docker run',
    text: 'docker run -i --rm -e STOCK_TOKEN -v /path/to/data:/data ghcr.io/acme/stock:1.2',
    servers: [
      [
        'stock',
        {
          command: 'docker',
          args: [
            'run',
            '-i',
            '--rm',
            '-e',
            'STOCK_TOKEN',
            '-v',
            '/path/to/data:/data',
            'ghcr.io/acme/stock:1.2',
          ],
        },
        [{ where: 'args', key: '6', kind: 'path', placeholder: '/path/to/data', label: '-v', secret: false }],
      ],
    ],
  },
  {
    title: 'an address',
    text: 'https://mcp.stock.example/mcp',
    servers: [['stock.example', { url: 'https://mcp.stock.example/mcp' }]],
  },
  {
    title: 'an install link of Cursor',
    text: `cursor://anysphere.cursor-deeplink/mcp/install?name=stock&config=${base64({ command: 'npx -y @acme/stock-server', env: { STOCK_TOKEN: '' } })}`,
    servers: [['stock', withToken('')]],
  },
  {
    title: 'an install link of VS Code',
    text: `vscode:mcp/install?${encode({ name: 'stock', ...withToken('${input:t}'), inputs: [{ id: 't', description: 'Token', password: true }] })}`,
    servers: [['stock', withToken('${input:t}'), [{ ...stockAsk, label: 'Token' }]]],
  },
  {
    title: 'badges that lead to install links',
    text: `[![VS Code](https://img.shields.io/badge/VS_Code-blue)](https://insiders.vscode.dev/redirect/mcp/install?name=stock&config=${encode(stock)})\n[![Insiders](https://img.shields.io/badge/x)](https://insiders.vscode.dev/redirect?url=${encodeURIComponent(`vscode-insiders:mcp/install?${encode({ name: 'stock', ...stock })}`)})\n[![Cursor](https://cursor.com/deeplink/mcp-install-dark.svg)](https://cursor.com/en/install-mcp?name=stock&config=${encodeURIComponent(base64(stock))})`,
    servers: [['stock', stock]],
  },
  {
    title: 'code --add-mcp',
    text: `code --add-mcp '{"name":"stock","command":"npx","args":["-y","@acme/stock-server"]}'`,
    servers: [['stock', stock]],
  },
  {
    title: 'the address of a bundle',
    text: 'https://github.com/acme/stock/releases/download/v1.2.0/stock.mcpb',
    servers: [],
    said: 'a bundle (.mcpb)',
  },
  {
    title: 'codex mcp add',
    text: 'codex mcp add stock --env STOCK_TOKEN=... -- npx -y @acme/stock-server',
    servers: [['stock', withToken('...'), [{ ...stockAsk, placeholder: '...' }]]],
  },
  {
    title: 'gemini mcp add',
    text: 'gemini mcp add -s user -t http -H "X-Api-Key: YOUR_KEY" stock https://mcp.stock.example/mcp',
    servers: [
      [
        'stock',
        { ...remote, headers: { 'X-Api-Key': 'YOUR_KEY' } },
        [{ where: 'header', key: 'X-Api-Key', placeholder: 'YOUR_KEY', secret: true }],
      ],
    ],
  },
  {
    title: 'a line of uvx',
    text: 'uvx --from git+https://github.com/acme/stock-mcp stock-mcp --port 3000',
    servers: [
      [
        'stock-mcp',
        {
          command: 'uvx',
          args: ['--from', 'git+https://github.com/acme/stock-mcp', 'stock-mcp', '--port', '3000'],
        },
      ],
    ],
  },
  {
    title: 'extensions of Goose',
    text: 'Put this into config.yaml:\n\n```yaml\nextensions:\n  developer:\n    type: builtin\n    enabled: true\n  stock:\n    name: Stock\n    cmd: npx\n    args:\n      - -y\n      - @acme/stock-server\n    envs:\n      STOCK_TOKEN: <YOUR_TOKEN>\n    enabled: true\n    type: stdio\n    timeout: 300\n```\n',
    servers: [['stock', withToken('<YOUR_TOKEN>'), [{ ...stockAsk, placeholder: '<YOUR_TOKEN>' }]]],
    said: 'timeout',
  },
  {
    title: 'an entry without the braces around it',
    text: '"stock": {\n  "command": "npx",\n  "args": ["-y", "@acme/stock-server"]\n},',
    servers: [['stock', stock]],
  },
  {
    title: 'JSON with an ellipsis',
    text: '{\n  "mcpServers": {\n    ...\n    "stock": {\n      "command": "npx",\n      "args": ["-y", "@acme/stock-server"],\n      "env": { ... }\n    },\n    ...\n  }\n}',
    servers: [['stock', { ...stock, env: {} }]],
    said: 'leaves something out',
  },
  {
    title: 'a README with two fences',
    text: `## NPX\n\`\`\`json\n{ "mcpServers": { "stock": ${JSON.stringify(stock)} } }\n\`\`\`\n## Build\n\`\`\`bash\nnpm install && npm run build\n\`\`\`\n## Remote\n\`\`\`jsonc\n{\n  // the hosted one\n  "mcpServers": { "stock-remote": { "url": "https://mcp.stock.example/sse", }, },\n}\n\`\`\`\n`,
    servers: [
      ['stock', stock],
      ['stock-remote', { url: 'https://mcp.stock.example/sse' }],
    ],
  },
  {
    title: 'curly quotes',
    text: '{ \u201cmcpServers\u201d: { \u201cstock\u201d: { \u201ccommand\u201d: \u201cnpx\u201d, \u201cargs\u201d: [\u201c-y\u201d, \u201c@acme/stock-server\u201d] } } }',
    servers: [['stock', stock]],
  },
  { title: 'the name of a package', text: '@acme/stock-server', servers: [['stock-server', stock]] },
  {
    title: 'uv in a folder of instructions',
    text: 'uv --directory /ABSOLUTE/PATH/TO/PARENT/FOLDER/stock run server.py',
    servers: [
      [
        'stock',
        {
          command: 'uv',
          args: ['--directory', '/ABSOLUTE/PATH/TO/PARENT/FOLDER/stock', 'run', 'server.py'],
        },
        [{ where: 'args', key: '1', kind: 'path', label: '--directory', secret: false }],
      ],
    ],
  },
  {
    title: 'server.json of the registry',
    text: JSON.stringify({
      $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
      name: 'io.github.acme/stock',
      packages: [
        {
          registryType: 'oci',
          identifier: 'ghcr.io/acme/stock',
          version: '1.2.0',
          transport: { type: 'stdio' },
        },
        {
          registryType: 'npm',
          identifier: '@acme/stock-server',
          version: '1.2.0',
          transport: { type: 'stdio' },
          packageArguments: [
            {
              type: 'named',
              name: '--region',
              value: '{region}',
              variables: { region: { description: 'Where the stock is', default: 'eu' } },
            },
            {
              type: 'positional',
              valueHint: 'folder',
              isRequired: true,
              format: 'filepath',
              description: 'Folder of the reports',
            },
          ],
          environmentVariables: [
            { name: 'STOCK_TOKEN', description: 'Token of the stock', isRequired: true, isSecret: true },
            { name: 'STOCK_LEVEL', default: 'info' },
            { name: 'STOCK_PROXY' },
          ],
        },
      ],
      remotes: [{ type: 'streamable-http', url: 'https://mcp.stock.example/mcp' }],
    }),
    servers: [
      [
        'stock',
        {
          command: 'npx',
          args: ['-y', '@acme/stock-server@1.2.0', '--region', '<region>', '<folder>'],
          env: { STOCK_TOKEN: '<STOCK_TOKEN>', STOCK_LEVEL: 'info' },
        },
        [
          { where: 'args', key: '3', label: 'Where the stock is', suggestion: 'eu', secret: false },
          { where: 'args', key: '4', label: 'Folder of the reports', kind: 'path' },
          { ...stockAsk, label: 'Token of the stock' },
        ],
      ],
    ],
    said: 'also offered as oci, https://mcp.stock.example/mcp',
  },
  {
    title: 'a url with headers',
    text: '{ "stock": { "url": "https://mcp.stock.example/mcp", "headers": { "Authorization": "Bearer ${STOCK_TOKEN}" } } }',
    servers: [
      [
        'stock',
        { url: 'https://mcp.stock.example/mcp', headers: { Authorization: 'Bearer ${STOCK_TOKEN}' } },
        [{ where: 'header', kind: 'environment', variable: 'STOCK_TOKEN', secret: true }],
      ],
    ],
  },
];
