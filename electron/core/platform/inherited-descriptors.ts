import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs';

/** O_CLOEXEC as /proc/PID/fdinfo/FD shows it (proc(5)): octal 02000000. */
const CLOEXEC = 0o2000000;

/**
 * Descriptors that a child would inherit from this process beside its three pipes. Chromium opens files and sockets
 * without O_CLOEXEC and closes them in the children that it starts itself; those that Node starts would keep them:
 * our databases, our connections, our sockets. Linux only; elsewhere the system closes what is not handed over.
 */
function inheritedDescriptors(): readonly number[] {
  const numbers = readdirSync('/proc/self/fd').map(Number);
  return numbers.filter((number) => number > 2 && isInherited(number));
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
 * hand a descriptor over but cannot close one in a child.
 */
export function withoutInheritance<T>(
  platform: NodeJS.Platform,
  spawn: (stdio: ('pipe' | 'ignore' | number)[]) => T,
): T {
  const pipes = ['pipe', 'pipe', 'pipe'] as const;
  if (platform !== 'linux') return spawn([...pipes]);
  const nothing = openSync('/dev/null', 'r');
  try {
    const inherited = new Set(inheritedDescriptors());
    const rest = Array.from({ length: Math.max(2, ...inherited) - 2 }, (_, index) =>
      inherited.has(index + 3) ? nothing : 'ignore',
    );
    return spawn([...pipes, ...rest]);
  } finally {
    closeSync(nothing);
  }
}
