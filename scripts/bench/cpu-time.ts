import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

const question = 'cpu';

/** In a measured process: answers how many microseconds of processor time it has used, whenever it is asked. */
export function tellCpuTime(): void {
  process.on('message', (message) => {
    if (message !== question) return;
    const { user, system } = process.cpuUsage();
    process.send?.(user + system);
  });
}

/** Microseconds of processor time that a measured process has used so far. */
export async function cpuTimeOf(process: ChildProcess): Promise<number> {
  process.send(question);
  const [microseconds] = await once(process, 'message');
  return Number(microseconds);
}
