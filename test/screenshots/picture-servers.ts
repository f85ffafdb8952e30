import { join } from 'node:path';

/** Server that the pictures open, because its curves move. */
export const SHOWN_SERVER = 'search';

/** Command in the checkout, by a path that is relative so that the pictures show no folder of whoever takes them. */
const inCheckout = (program: string, ...args: string[]) => ({ command: 'node', args: [program, ...args] });
const reference = (name: string, ...args: string[]) =>
  inCheckout(`node_modules/@modelcontextprotocol/server-${name}/dist/index.js`, ...args);
const fixture = (...flags: string[]) => inCheckout('test/fixtures/servers/server.mjs', ...flags);

export const QUIET_NAMES = `
  asana atlassian aws-docs azure brave-search calendar chrome-devtools clickhouse cloudflare
  confluence context7 datadog docker drive elastic fetch figma git gitlab grafana jira kubernetes
  linear mongodb neon notion obsidian playwright redis sentry sequential-thinking slack sqlite stripe
  supabase terraform time
`
  .trim()
  .split(/\s+/);

/**
 * Entry of a server of the month for pictures, all of them real processes: one that works in bursts and leaks, two reference
 * servers, one that crashes now and then, one that cannot start, one that hangs; the rest is quiet.
 */
export function pictureEntry(name: string, home: string): Readonly<Record<string, unknown>> {
  switch (name) {
    case SHOWN_SERVER:
      return {
        ...fixture('--leak-memory-mib-per-s=1', '--short-lived-children', '--stderr-every-ms=900'),
        panel: { limits: { maxCpuPercent: 400 } },
      };
    case 'filesystem':
      return reference('filesystem', home);
    case 'memory':
      return { ...reference('memory'), env: { MEMORY_FILE_PATH: join(home, 'memory.json') } };
    case 'browser':
      return {
        ...fixture('--grandchild-memory-mib=180', '--exit-after-ms=34000'),
        panel: { restart: { stableAfterMs: 20_000 } },
      };
    case 'postgres':
      return fixture('--exit-before-initialize', '--stderr-text=ECONNREFUSED 127.0.0.1:5432');
    case 'github':
      return {
        ...fixture('--deaf-after-ms=25000'),
        panel: { health: { probeIntervalMs: 1000, stallThresholdMs: 5000, onStall: 'notify' } },
      };
    default:
      return fixture();
  }
}
