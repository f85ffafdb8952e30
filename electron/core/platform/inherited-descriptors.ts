import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs';

/** O_CLOEXEC as /proc/PID/fdinfo/FD shows it (proc(5)): octal 02000000. */
const CLOEXEC = 0o2000000;

/**
 * Our descriptors, and those of them that a child would inherit beside its three pipes. Chromium opens files and sockets
 * without O_CLOEXEC and closes them in the children that it starts itself; those that Node starts would keep them:
 * our databases, our connections, our sockets. Linux only; elsewhere the system closes what is not handed over.
 */
function openDescriptors(): Omit<DescriptorRoom, 'limit'> {
  const open = readdirSync('/proc/self/fd').map(Number);
  const inherited = open
    .filter((number) => number > 2 && isInherited(number))
    .sort((one, other) => one - other);
  return { open, inherited };
}

/** The soft limit, which may have been lowered since higher ones were opened (proc(5)). */
function descriptorLimit(): number {
  const limit = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'latin1'))?.[1];
  return limit === undefined ? Infinity : Number(limit);
}

function isInherited(number: number): boolean {
  try {
    const flags = /^flags:\s*(\d+)/m.exec(readFileSync(`/proc/self/fdinfo/${number}`, 'latin1'))?.[1] ?? '0';
    return (Number.parseInt(flags, 8) & CLOEXEC) === 0;
  } catch {
    return false; // Closed since it was listed: the listing's own descriptor, for one.
  }
}

/**
 * Calls `spawn` with a `stdio` in which everything that would be inherited is replaced by /dev/null, since Node can
 * hand a descriptor over but cannot close one in a child. One whose number leaves no room below the limit of open files
 * cannot be handed over; a child inherits it, rather than not being started.
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

export interface DescriptorRoom {
  /** Descriptors that a child would inherit, in ascending order. */
  readonly inherited: readonly number[];
  readonly open: readonly number[];
  /** No descriptor can be opened with this number, or a higher one. */
  readonly limit: number;
}

/** What Node opens for the moment of a spawn: three pipes, and one to hear of a failure. */
const SPARE = 12;

/**
 * Those of `inherited` that a spawn can hand over. For each, libuv takes one more descriptor above the highest of them
 * (uv_spawn), so that many have to be free there.
 */
export function coverable({ inherited, open, limit }: DescriptorRoom): readonly number[] {
  for (let count = inherited.length; count > 0; count -= 1) {
    const highest = inherited[count - 1]!;
    const taken = open.filter((number) => number > highest).length;
    if (highest + 1 + taken + count + SPARE <= limit) return inherited.slice(0, count);
  }
  return [];
}
