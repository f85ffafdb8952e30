import { join } from 'node:path';

/** Server that the pictures open, because its curves move. */
export const SHOWN_SERVER = 'search';

/** Command in the checkout, by a path that is relative so that the pictures show no folder of whoever takes them. */
const inCheckout = (program: string, ...args: string[]) => ({ command: 'node', args: [program, ...args] });
const reference = (name: string, ...args: string[]) =>
  inCheckout(`node_modules/@modelcontextprotocol/server-${name}/dist/index.js`, ...args);
const fixture = (...flags: string[]) => inCheckout('test/fixtures/servers/server.mjs', ...flags);

export const QUIET_NAMES = [
  ...['asana', 'atlassian', 'aws-docs', 'azure', 'brave-search', 'calendar', 'chrome-devtools', 'clickhouse'],
  ...[
    'cloudflare',
    'confluence',
    'context7',
    'datadog',
    'docker',
    'drive',
    'elastic',
    'fetch',
    'figma',
    'git',
  ],
  ...[
    'gitlab',
    'grafana',
    'jira',
    'kubernetes',
    'linear',
    'mongodb',
    'neon',
    'notion',
    'obsidian',
    'playwright',
  ],
  ...['redis', 'sentry', 'sequential-thinking', 'slack', 'sqlite', 'stripe', 'supabase', 'terraform', 'time'],
];

/**
 * Servers (`mcpServers`) for pictures, that many, all of them real processes: one that works in bursts and
 * leaks, the three reference servers, one that crashes now and then, one that cannot start, one that hangs;
 * the rest is quiet.
 */
export function pictureServers(count: number, home: string): Record<string, object> {
  const lively: Record<string, object> = {
    [SHOWN_SERVER]: {
      ...fixture('--leak-memory-mib-per-s=1', '--short-lived-children', '--stderr-every-ms=900'),
      panel: { limits: { maxCpuPercent: 400 } },
    },
    everything: reference('everything', 'stdio'),
    filesystem: reference('filesystem', home),
    memory: { ...reference('memory'), env: { MEMORY_FILE_PATH: join(home, 'memory.json') } },
    browser: {
      ...fixture('--grandchild-memory-mib=180', '--exit-after-ms=34000'),
      panel: { restart: { stableAfterMs: 20_000 } },
    },
    postgres: fixture('--exit-before-initialize', '--stderr-text=ECONNREFUSED 127.0.0.1:5432'),
    github: {
      ...fixture('--deaf-after-ms=25000'),
      panel: { health: { probeIntervalMs: 1000, stallThresholdMs: 5000, onStall: 'notify' } },
    },
  };
  const more = Array.from(
    { length: Math.max(0, count - QUIET_NAMES.length) },
    (_, index) => `team-${index + 1}`,
  );
  const quiet = Object.fromEntries([...QUIET_NAMES, ...more].map((name) => [name, fixture()]));
  return Object.fromEntries(Object.entries({ ...lively, ...quiet }).slice(0, count));
}
