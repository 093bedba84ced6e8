import { existsSync, globSync, readFileSync, readlinkSync } from 'node:fs';
import { basename, resolve, sep } from 'node:path';
import { fileTrouble } from '../../file-trouble.ts';
import type { ServerOptions } from '../options/options.ts';
import { ownFolder } from '../options/own-folder.ts';
import { UnavailableError } from '../store/store.ts';

type Ports = Partial<Pick<ServerOptions, 'securePort' | 'ingressHttpPort' | 'ingressHttpsPort'>>;
type Place = Ports & Partial<Pick<ServerOptions, 'bindAddress' | 'certDir' | 'dataDir'>>;

/** Why a server did not start, in a line, and what to do about it. */
export function startFailure(error: unknown, place: Place = {}): string {
  const { bindAddress = '127.0.0.1', securePort = 0, dataDir, certDir = ownFolder() } = place;
  const { code = '', path, syscall = '', port = securePort, address = bindAddress } = (error ?? {}) as ListenError;
  if (code === 'EADDRINUSE') {
    const holder = holderOf(port);
    const who = holder ? `by ${holder.name} (process ${holder.pid})` : 'already';
    return `port ${port} of ${address} is taken ${who}: choose another with ${flagOf(port, place)}, or 0 for a free one`;
  }
  if (code === 'EACCES' && syscall === 'listen')
    return `port ${port} is for the system alone: choose one from 1024 up with ${flagOf(port, place)}`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return `${bindAddress} is no address of this machine: choose one with --bind-address`;
  const trouble = fileTrouble(error);
  if (error instanceof UnavailableError) return `${trouble}: start it, or name another by --etcd-servers`;
  if (!path) return trouble;
  if (dataDir && isIn(path, dataDir)) return `${trouble}: name another folder with --data-dir`;
  return isIn(path, certDir) ? `${trouble}: name another folder with --cert-dir, or set HOME` : trouble;
}

type ListenError = NodeJS.ErrnoException & { readonly port?: number; readonly address?: string };

/** Which flag chose a port: the ingress controller has some of its own. */
function flagOf(port: number, { securePort, ingressHttpPort, ingressHttpsPort }: Ports): string {
  if (port === securePort) return '--secure-port';
  if (port === ingressHttpPort) return '--ingress-http-port';
  return port === ingressHttpsPort ? '--ingress-https-port' : '--secure-port';
}

/** Whether it is a folder, in it, or above it. */
const isIn = (path: string, folder: string): boolean => {
  const [one, other] = [`${resolve(path)}${sep}`, `${resolve(folder)}${sep}`];
  return one.startsWith(other) || other.startsWith(one);
};

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
    return pid ? { pid: Number(pid), name: nameOf(pid) } : undefined;
  } catch {
    return undefined;
  }
}

/** Its program, with the script that it runs, if it is Node; no more of its arguments, as there may be secrets in them. */
function nameOf(pid: string): string {
  const [program = '', ...args] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  const script = /node/.test(basename(program)) && args.find((arg) => !arg.startsWith('-') && existsSync(arg));
  return [program, script || []]
    .flat()
    .map((path) => basename(path))
    .join(' ');
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
