import { readFile } from 'node:fs/promises';
import { errnoOf } from '../../errno.ts';
import type { ProcFiles, Slices } from './proc-files.ts';
import { readDescriptors, type ProcessRow } from './process-inside.ts';
import { readStat } from './read-process.ts';

/** A socket of the Unix domain, as listed in /proc/net/unix. */
export interface UnixSocket {
  /**
   * Reference count: one for the socket itself, one for each open file that refers to it, and one while its other end is open.
   */
  readonly refCount: number;
  readonly isListening: boolean;
  readonly isConnected: boolean;
  /** Address of the socket, usually a path; absent for a socket that socketpair(2) made. */
  readonly path?: string;
}

export interface TcpPorts {
  /** Ports on which a socket listens, by the inode of the socket. */
  readonly listening: ReadonlyMap<string, number>;
  /** Local ports of open connections. */
  readonly established: ReadonlySet<number>;
}

export interface PipeHolder {
  readonly pid: number;
  /** Name of the pipe, such as `pipe:[4711]`. */
  readonly pipe: string;
  readonly reads: boolean;
  readonly writes: boolean;
}

export interface PipeHolders {
  readonly holders: readonly PipeHolder[];
  /** Live processes whose descriptors cannot be read. */
  readonly unreadable: ReadonlySet<number>;
}

/** Reads the Unix domain sockets whose inodes are in `wanted`, by inode; empty if the sockets cannot be listed. */
export function readUnixSockets(
  files: ProcFiles,
  wanted: ReadonlySet<string>,
): ReadonlyMap<string, UnixSocket> {
  const sockets = new Map<string, UnixSocket>();
  for (const line of (files.read('self/net/unix') ?? '').split('\n').slice(1)) {
    const [, refCount = '', , flags, , state, inode = '', path] = line.trim().split(/\s+/);
    if (!wanted.has(inode)) continue;
    sockets.set(inode, {
      refCount: Number.parseInt(refCount, 16),
      isListening: flags === LISTENS,
      isConnected: state === CONNECTED,
      ...(path !== undefined && { path }),
    });
  }
  return sockets;
}

/**
 * Flags of a listening socket (`__SO_ACCEPTCON`) and state of a connected one (`SS_CONNECTED`), as /proc/net/unix prints them.
 */
const LISTENS = '00010000';
const CONNECTED = '03';
/** States of TCP, in hexadecimal. */
const TCP_LISTEN = '0A';
const TCP_ESTABLISHED = '01';

/** Reads the ports in the thread pool: the kernel takes milliseconds to write its table. @throws if the table cannot be read */
export async function readTcpPorts(): Promise<TcpPorts> {
  const listening = new Map<string, number>();
  const established = new Set<number>();
  const texts = await Promise.all([
    readFile('/proc/self/net/tcp', 'latin1'),
    // The file does not exist if IPv6 is off.
    readFile('/proc/self/net/tcp6', 'latin1').catch(unlessAbsent),
  ]);
  for (const line of texts.flatMap((text) => text.split('\n').slice(1))) {
    const [, local = '', , state, , , , , , inode = ''] = line.trim().split(/\s+/);
    const port = Number.parseInt(local.slice(local.indexOf(':') + 1), 16);
    if (state === TCP_LISTEN) listening.set(inode, port);
    if (state === TCP_ESTABLISHED) established.add(port);
  }
  return { listening, established };
}

function unlessAbsent(error: unknown): string {
  if (errnoOf(error) === 'ENOENT') return '';
  throw error;
}

/** Finds the processes that have the pipes in `wanted` open, among all processes. This is the expensive part of a scan. */
export async function findPipeHolders(
  files: ProcFiles,
  rows: readonly ProcessRow[],
  wanted: ReadonlySet<string>,
  slices: Slices,
): Promise<PipeHolders> {
  const holders: PipeHolder[] = [];
  const unreadable = new Set<number>();
  for (const { pid, startTime } of rows) {
    const descriptors = await readDescriptors(files, pid, slices);
    if (descriptors === undefined && readStat(files, pid)?.startTime === startTime) unreadable.add(pid);
    for (const [number, target] of descriptors ?? [])
      if (wanted.has(target)) holders.push({ pid, pipe: target, ...accessOf(files, pid, number) });
    if (slices.isFullAfter(1)) await slices.pause();
  }
  return { holders, unreadable };
}

/** Returns whether a descriptor is the read end, the write end, or both ends of a pipe. Returns both if that cannot be read. */
function accessOf(files: ProcFiles, pid: number, number: number): Pick<PipeHolder, 'reads' | 'writes'> {
  const info = files.read(`${pid}/fdinfo/${number}`) ?? '';
  const flags = /^flags:\s*(\d+)/m.exec(info)?.[1];
  if (flags === undefined) return { reads: true, writes: true };
  // The last two bits: O_RDONLY is 0, O_WRONLY 1, O_RDWR 2.
  const access = Number.parseInt(flags, 8) & 3;
  return { reads: access !== 1, writes: access !== 0 };
}
