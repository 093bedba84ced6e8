import { globSync, readFileSync, readlinkSync } from 'node:fs';
import type { ServerOptions } from './options.ts';

type Place = Partial<Pick<ServerOptions, 'bindAddress' | 'securePort' | 'certDir'>>;

/** Words for what keeps files from being written, by the system's own codes. */
const reasons: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'not permitted',
  EROFS: 'the file system can only be read',
  ENOENT: 'it cannot be made there',
  ENOTDIR: 'it is below something that is no folder',
  ENOSPC: 'the disk is full',
};

/** Why a server did not start, in a line, and what to do about it. */
export function startFailure(error: unknown, { bindAddress = '127.0.0.1', securePort = 0 }: Place = {}): string {
  const { code = '', path, syscall, message = String(error) } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE') {
    const holder = holderOf(securePort);
    const who = holder ? `by ${holder.name} (process ${holder.pid})` : 'already';
    return `port ${securePort} of ${bindAddress} is taken ${who}: choose another with --secure-port, or 0 for a free one`;
  }
  if (code === 'EACCES' && syscall === 'listen')
    return `port ${securePort} is for the system alone: choose one from 1024 up with --secure-port`;
  if (code === 'EADDRNOTAVAIL') return `${bindAddress} is no address of this machine: choose one with --bind-address`;
  const reason = reasons[code];
  if (path && reason && ['mkdir', 'open'].includes(syscall ?? ''))
    return `${path} cannot be written (${reason}): name another folder with --cert-dir, or set HOME`;
  return message;
}

interface Holder {
  readonly pid: number;
  readonly name: string;
}

/** Which process listens on a port, where the system tells that (Linux, one's own processes). */
export function holderOf(port: number): Holder | undefined {
  try {
    const inode = ['/proc/net/tcp', '/proc/net/tcp6'].flatMap((table) => listening(table, port))[0];
    if (!inode) return undefined;
    const link = globSync('/proc/[0-9]*/fd/*').find((file) => target(file) === `socket:[${inode}]`);
    const [, pid = ''] = /^\/proc\/(\d+)/.exec(link ?? '') ?? [];
    return pid ? { pid: Number(pid), name: readFileSync(`/proc/${pid}/comm`, 'utf8').trim() } : undefined;
  } catch {
    return undefined;
  }
}

/** Inodes of the sockets in such a table that listen (state 0A) on a port. */
function listening(table: string, port: number): readonly string[] {
  const hex = port.toString(16).toUpperCase().padStart(4, '0');
  return readFileSync(table, 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .flatMap(([, local = '', , state, , , , , , inode = '']) =>
      local.endsWith(`:${hex}`) && state === '0A' ? [inode] : [],
    );
}

function target(link: string): string {
  try {
    return readlinkSync(link);
  } catch {
    return '';
  }
}
