import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** A process that is measured, with what it said when it was ready. @param file beside this one */
export async function child(
  file: string,
  ...argv: readonly string[]
): Promise<{ process: ChildProcess; url: string; token?: string; memory?: number }> {
  const started = fork(fileURLToPath(new URL(file, import.meta.url)), argv);
  const [message] = await once(started, 'message');
  return { process: started, ...message };
}
