import { extname, join } from 'node:path';
import type { Start, Started } from '../lab/launcher.ts';
import { startThread } from '../runner/thread.ts';
import { Breach } from '../verbs/breach.ts';
import type { Target } from './target.ts';

/** What the thread of reference servers is told: start one, stop one, or end. */
export type HostOrder =
  | { readonly start: number; readonly flags: readonly string[] }
  | { readonly stop: number }
  | { readonly end: true };

/** What it answers. */
export type HostAnswer =
  | { readonly started: number; readonly target: Target }
  | { readonly failed: number; readonly why: string }
  | { readonly stopped: number };

/** Reference servers in one thread of this process: they share what they have read. */
export interface ReferenceHost {
  readonly start: Start;
  /** Ends all of them. */
  readonly close: () => Promise<void>;
}

/** @param imports modules that the thread loads before the server */
export function openHost(imports: readonly string[] = []): ReferenceHost {
  const file = join(import.meta.dirname, `reference-worker${extname(import.meta.filename)}`);
  const worker = startThread(file, undefined, { memory: 'large', imports });
  const waiting = new Map<number, (answer: HostAnswer) => void>();
  const gone = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  worker.on('message', (answer: HostAnswer) => waiting.get(Object.values(answer)[0] as number)?.(answer));
  let count = 0;
  let broken: Error | undefined;
  const failAll = (error: unknown): void => {
    broken = error instanceof Error ? error : new Error(String(error));
    for (const [failed, answer] of waiting) answer({ failed, why: broken.message });
  };
  worker.on('error', failAll);
  const ask = (id: number, order: HostOrder): Promise<HostAnswer> =>
    new Promise((resolve, reject) => {
      if (broken) return reject(broken);
      waiting.set(id, (answer) => {
        waiting.delete(id);
        resolve(answer);
      });
      worker.postMessage(order);
    });
  return {
    async start(flags) {
      const id = ++count;
      const answer = await ask(id, { start: id, flags });
      if (!('target' in answer))
        throw new Breach('preparation', `a reference server does not start: ${'why' in answer ? answer.why : ''}`);
      const stop = async (): Promise<void> => void (await ask(id, { stop: id }).catch(() => undefined));
      return { target: answer.target, stop } satisfies Started;
    },
    async close() {
      broken ??= new Error('the reference servers are about to end');
      worker.postMessage({ end: true } satisfies HostOrder);
      await gone;
    },
  };
}
