import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** What a measured process may be asked, and what it answers then. */
const answers = {
  /** Microseconds of processor time that it has used so far. */
  cpu() {
    const { user, system } = process.cpuUsage();
    return user + system;
  },
  /** Bytes that are in use once all that is not is collected. */
  memory() {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    collect();
    collect();
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  },
};

/** In a measured process: answers what it has used, whenever it is asked. */
export function tellUse(): void {
  process.on('message', (question) => {
    if (question === 'cpu' || question === 'memory') process.send?.(answers[question]());
  });
}

async function ask(process: ChildProcess, question: keyof typeof answers): Promise<number> {
  process.send(question);
  const [answer] = await once(process, 'message');
  return Number(answer);
}

/** Microseconds of processor time that a measured process has used so far. */
export const cpuTimeOf = (process: ChildProcess): Promise<number> => ask(process, 'cpu');

/** Bytes that are in use in a measured process; it stands still meanwhile. */
export const memoryOf = (process: ChildProcess): Promise<number> => ask(process, 'memory');
