import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs';

/** Flag O_CLOEXEC (the descriptor is closed in children) as /proc/PID/fdinfo/FD contains it (proc(5)): octal 02000000. */
const CLOEXEC = 0o2000000;

/**
 * Lists the panel's open file descriptors, and those of them that a child would inherit in addition to its three pipes.
 * Chromium opens files and sockets without O_CLOEXEC and closes them only in its own children. The children that Node starts
 * would keep the panel's databases, connections and sockets open. Linux only; on other systems, descriptors that are not passed
 * explicitly are closed.
 */
function openDescriptors(): Omit<DescriptorRoom, 'limit'> {
  const open = readdirSync('/proc/self/fd').map(Number);
  const inherited = open
    .filter((number) => number > 2 && isInherited(number))
    .sort((one, other) => one - other);
  return { open, inherited };
}

/**
 * Returns the soft limit on open file descriptors. A descriptor that is already open may have a number above this limit
 * (proc(5)).
 */
function descriptorLimit(): number {
  const limit = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'latin1'))?.[1];
  return limit === undefined ? Infinity : Number(limit);
}

function isInherited(number: number): boolean {
  try {
    const flags = /^flags:\s*(\d+)/m.exec(readFileSync(`/proc/self/fdinfo/${number}`, 'latin1'))?.[1] ?? '0';
    return (Number.parseInt(flags, 8) & CLOEXEC) === 0;
  } catch {
    return false; // The descriptor was closed after the listing, for example that of the listing itself.
  }
}

/**
 * Calls `spawn` with a `stdio` that replaces every inheritable descriptor by /dev/null, because Node can pass a descriptor to a
 * child but cannot close one there. A descriptor too close to the limit of open files cannot be replaced. The child then
 * inherits it, because that is better than a failed start.
 */
export function withoutInheritance<T>(
  platform: NodeJS.Platform,
  spawn: (stdio: ('pipe' | 'ignore' | number)[]) => T,
): T {
  const pipes = ['pipe', 'pipe', 'pipe'] as const;
  if (platform !== 'linux') return spawn([...pipes]);
  const nothing = openSync('/dev/null', 'r');
  try {
    const { open, inherited } = openDescriptors();
    const covered = new Set(coverable({ inherited, open, limit: descriptorLimit() }));
    const rest = Array.from({ length: Math.max(2, ...covered) - 2 }, (_, index) =>
      covered.has(index + 3) ? nothing : 'ignore',
    );
    return spawn([...pipes, ...rest]);
  } finally {
    closeSync(nothing);
  }
}

interface DescriptorRoom {
  /** Descriptors that a child would inherit, in ascending order. */
  readonly inherited: readonly number[];
  readonly open: readonly number[];
  /** Limit of open files: new descriptors have lower numbers. */
  readonly limit: number;
}

/** Upper estimate of the descriptors that Node itself opens during a spawn: three pipes, and one that reports a failure. */
const SPARE = 12;

/**
 * Returns the inheritable descriptors that can be replaced in the child. For each, libuv needs a free descriptor above the
 * highest replaced one (uv_spawn), below the limit.
 */
export function coverable({ inherited, open, limit }: DescriptorRoom): readonly number[] {
  for (let count = inherited.length; count > 0; count -= 1) {
    const highest = inherited[count - 1]!;
    const taken = open.filter((number) => number > highest).length;
    if (highest + 1 + taken + count + SPARE <= limit) return inherited.slice(0, count);
  }
  return [];
}
