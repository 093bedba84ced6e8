import type { ServerOptions } from '../../../server/options/options.ts';
import { child } from '../child.ts';
import type { Request, Side } from '../load.ts';
import { cpuTimeOf, memoryOf } from '../measured-process.ts';
import { Line } from './line.ts';

export const configMaps = (namespace = 'default') => `/api/v1/namespaces/${namespace}/configmaps`;

/** An object of about 1 KB as it is stored. */
const configMap = (name: string, value: string) =>
  JSON.stringify({ metadata: { name, labels: { app: 'bench' } }, data: { value, text: 'x'.repeat(550) } });

export const creation = (name: string): Request => ({
  method: 'POST',
  path: configMaps(),
  body: configMap(name, '1'),
});

export const update = (name: string, value: string): Request => ({
  method: 'PUT',
  path: `${configMaps()}/${name}`,
  body: configMap(name, value),
});

export interface MeasuredServer extends Side {
  memory(): Promise<number>;
}

/** Runs something with a server in a process of its own. */
export async function withServer<T>(
  options: Partial<ServerOptions>,
  use: (server: MeasuredServer) => Promise<T>,
): Promise<T> {
  const { process, url, token = '' } = await child('./reference-server.ts', JSON.stringify(options));
  const headers = { authorization: `Bearer ${token}` };
  try {
    return await use({ url, headers, cpuTime: () => cpuTimeOf(process), memory: () => memoryOf(process) });
  } finally {
    process.kill();
  }
}

/** Asks so many things over some lines, each line one after the other. @returns how many were answered a second */
export async function askAll(lines: readonly Line[], count: number, make: (n: number) => Request): Promise<number> {
  const begun = performance.now();
  let next = 0;
  await Promise.all(
    lines.map(async (line) => {
      while (next < count) await line.ask(make(next++));
    }),
  );
  return (1000 * count) / (performance.now() - begun);
}

/** Makes so many objects. */
export async function fill(server: Side, count: number): Promise<void> {
  const lines = await Line.many(server, 32);
  await askAll(lines, count, (n) => creation(`cm-${n}`));
  for (const line of lines) line.close();
}

/** Keeps asking over all lines until it is told to stop, which resolves when all have their answers. */
export function keepAsking(lines: readonly Line[], make: (n: number) => Request): () => Promise<void> {
  let going = true;
  let next = 0;
  const work = lines.map(async (line) => {
    while (going) await line.ask(make(next++));
  });
  return async () => {
    going = false;
    await Promise.all(work);
  };
}
