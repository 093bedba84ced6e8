import { closeSync, constants, openSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
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

/** The folder's place on its disk names it, whichever path leads there. */
function lockName(folder: string): Promise<Unlock> {
  const { dev, ino } = statSync(folder, { bigint: true });
  const name = `touchstone-data-${dev}-${ino}`;
  const server = createServer((socket) => socket.destroy()).unref();
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(error.code === 'EADDRINUSE' ? refusal(folder) : error),
    );
    server.listen(process.platform === 'win32' ? `\\\\.\\pipe\\${name}` : `\0${name}`, () =>
      resolve(() => server.close()),
    );
  });
}
