import { Agent, type Dispatcher } from 'undici';

/** One side of a comparison. */
export interface Side {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Microseconds of processor time that the server has used so far. */
  cpuTime(): Promise<number>;
}

export interface Request {
  readonly method: Dispatcher.HttpMethod;
  readonly path: string;
  readonly body?: string;
  readonly type?: string;
}

const connections = 8;
export const agent = new Agent({ connections, pipelining: 1, allowH2: false, connect: { rejectUnauthorized: false } });

/** Sends one request and reads the whole answer. @throws Error for an answer above 299 */
export async function send(
  { url, headers }: Side,
  { method, path, body, type = 'application/json' }: Request,
): Promise<Buffer> {
  const answer = await agent.request({
    origin: url,
    path,
    method,
    headers: { ...headers, ...(body !== undefined && { 'content-type': type }) },
    ...(body !== undefined && { body }),
  });
  const bytes = Buffer.from(await answer.body.arrayBuffer());
  if (answer.statusCode > 299) throw new Error(`${method} ${path}: ${answer.statusCode} ${bytes.subarray(0, 300)}`);
  return bytes;
}

export interface Measured {
  readonly perSecond: number;
  readonly bytesPerSecond: number;
  /** Microseconds of the server's processor time a request, which hold on a busy machine as well. */
  readonly cpu: number;
}

/** Runs `count` requests over as many connections as there are, and says how fast that went. */
export async function run(side: Side, count: number, make: (i: number) => Request): Promise<Measured> {
  let next = 0;
  let bytes = 0;
  const work = async () => {
    while (next < count) bytes += (await send(side, make(next++))).length;
  };
  const before = await side.cpuTime();
  const start = performance.now();
  await Promise.all(Array.from({ length: connections }, work));
  const seconds = (performance.now() - start) / 1000;
  const cpu = ((await side.cpuTime()) - before) / count;
  return { perSecond: count / seconds, bytesPerSecond: bytes / seconds, cpu };
}
