import { chmodSync, closeSync, constants, lstatSync, openSync, rmSync, statSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { join } from 'node:path';

/** Gives a lock back. */
export type Unlock = () => void;

/** Of BSD systems, which Node does not name: opening fails while another process has the file open like this. */
const openExclusively = 0x20;

const refusal = (folder: string) => new Error(`${folder} is in use by another server`);

/**
 * Sees to it that one process alone uses a folder. The lock ends with the process, however that ends, so none is ever
 * left over: on Linux and Windows it is a name of a socket, which the system gives to one process at a time.
 * @throws Error when somebody has it
 */
export async function lockFolder(folder: string): Promise<Unlock> {
  return process.platform === 'darwin' || process.platform.endsWith('bsd') ? lockFile(folder) : lockName(folder);
}

function lockFile(folder: string): Unlock {
  try {
    const { O_CREAT, O_RDWR, O_NONBLOCK } = constants;
    const fd = openSync(join(folder, 'lock'), O_CREAT | O_RDWR | O_NONBLOCK | openExclusively, 0o600);
    return () => closeSync(fd);
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'EAGAIN' ? refusal(folder) : error;
  }
}

async function lockName(folder: string): Promise<Unlock> {
  const { dev, ino } = statSync(folder, { bigint: true });
  // The folder's place on its disk names it, whichever path leads there.
  const name = `touchstone-data-${dev}-${ino}`;
  const own = await listening(process.platform === 'win32' ? `\\\\.\\pipe\\${name}` : `\0${name}`);
  if (!own) throw refusal(folder);
  try {
    const unlock = process.platform === 'linux' ? await lockSocket(folder) : () => {};
    return () => {
      unlock();
      own.close();
    };
  } catch (error) {
    own.close();
    throw error;
  }
}

/**
 * Names are given out once for each network, and containers that share a folder have each their own: a socket in the
 * folder is there for all of them. Nobody listens any more on one that a process has left. Where there can be no socket
 * of ours, there is none.
 */
async function lockSocket(folder: string): Promise<Unlock> {
  const fd = openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY);
  // Paths of sockets are short, those of folders are not.
  const path = `/proc/self/fd/${fd}/lock.sock`;
  try {
    const socket = (await listening(path)) ?? (await takeOver(path, folder));
    if (socket) chmodSync(path, 0o600);
    return () => {
      socket?.close();
      closeSync(fd);
    };
  } catch (error) {
    closeSync(fd);
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    return () => {};
  }
}

/** Takes over what a process has left; undefined: it is no socket. @throws Error when somebody listens on it */
async function takeOver(path: string, folder: string): Promise<Server | undefined> {
  if (!lstatSync(path).isSocket()) return undefined;
  if (await isHeard(path)) throw refusal(folder);
  rmSync(path);
  const socket = await listening(path);
  if (!socket) throw refusal(folder);
  return socket;
}

const isHeard = (path: string): Promise<boolean> =>
  new Promise((resolve) => {
    const client = connect(path, () => {
      resolve(true);
      client.destroy();
    });
    client.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code !== 'ECONNREFUSED'));
  });

/** Undefined: somebody has the name. @throws Error of the system */
function listening(name: string): Promise<Server | undefined> {
  const server = createServer((socket) => socket.destroy()).unref();
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(undefined) : reject(error),
    );
    server.listen(name, () => resolve(server));
  });
}
