import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** What a measured process says when it is ready. */
interface Ready {
  readonly url: string;
  readonly token?: string;
  readonly memory?: number;
}

export type Child<Said = Ready> = Said & { readonly process: ChildProcess };

/** A process that is measured, or that measures, with what it said first. @param file beside this one */
export async function child<Said = Ready>(file: string, ...argv: readonly string[]): Promise<Child<Said>> {
  const started = fork(fileURLToPath(new URL(file, import.meta.url)), argv);
  const [message] = await once(started, 'message');
  return { process: started, ...message };
}
