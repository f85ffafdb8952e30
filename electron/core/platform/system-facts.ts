import { arch, cpus, freemem, release, totalmem, type, uptime, version } from 'node:os';

export interface SystemFacts {
  /** Versions by name: `node`, `electron`, `chrome`, `v8`; missing ones are absent. */
  readonly versions: Readonly<Record<string, string>>;
  readonly system: string;
  readonly kernel: string;
  readonly architecture: string;
  readonly processor: string;
  readonly coreCount: number;
  readonly memoryBytes: number;
  readonly freeMemoryBytes: number;
  readonly uptimeSeconds: number;
  /** `wayland`, `x11` or `none` on Linux; undefined elsewhere. */
  readonly displayServer?: 'wayland' | 'x11' | 'none';
}

const SHOWN_VERSIONS = ['electron', 'chrome', 'node', 'v8'] as const;

export function systemFacts(environment: Readonly<Record<string, string | undefined>>): SystemFacts {
  const { versions } = process;
  const known = SHOWN_VERSIONS.flatMap((name) => {
    const found = versions[name];
    return found === undefined ? [] : [[name, found] as const];
  });
  return {
    versions: Object.fromEntries(known),
    system: `${type()} ${release()}`,
    kernel: version(),
    architecture: arch(),
    processor: cpus()[0]?.model.trim() || 'unknown',
    coreCount: cpus().length,
    memoryBytes: totalmem(),
    freeMemoryBytes: freemem(),
    uptimeSeconds: uptime(),
    ...(process.platform === 'linux' && { displayServer: displayServerOf(environment) }),
  };
}

function displayServerOf(
  environment: Readonly<Record<string, string | undefined>>,
): 'wayland' | 'x11' | 'none' {
  if (environment['WAYLAND_DISPLAY']) return 'wayland';
  return environment['DISPLAY'] ? 'x11' : 'none';
}
