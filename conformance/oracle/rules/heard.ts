import { pipeline, type Readable, Transform } from 'node:stream';
import type { Answer, Client, SendOptions } from '../../verbs/client.ts';
import { queryText } from '../../verbs/wire/outgoing.ts';
import type { SentHeaders, Witness } from '../../verbs/witness.ts';

/** One request of a rule, and what it was answered. */
export interface Heard {
  readonly method: string;
  readonly path: string;
  /** As it stands in the URL, without the question mark. */
  readonly query: string;
  readonly headers: SentHeaders;
  readonly body: Buffer;
  readonly isWatch: boolean;
  /** When it was answered, in milliseconds since 1970; 0 as long as it was not. */
  at: number;
  status: number;
  answerHeaders: Readonly<Record<string, string>>;
  warnings: readonly string[];
  /** As it came; of a stream, what came until now. */
  readonly chunks: Buffer[];
  failure?: string;
}

/** All that was said in a play, as one text. */
export const sentIn = (heard: readonly Heard[]): string =>
  heard
    .map(({ path, query, headers, body }) => `${path} ${query} ${JSON.stringify(headers)} ${body.toString('latin1')}`)
    .join('\n');

/** What a rule sends and is answered, in the order in which it was sent. */
export interface Listener {
  readonly witness: Witness;
  readonly heard: readonly Heard[];
}

/** Of a stream no more is kept, in bytes. */
const longestStream = 1024 * 1024;

export function listen(): Listener {
  const heard: Heard[] = [];
  const witness: Witness = (client, always) => {
    const begin = (method: string, path: string, options: SendOptions, isWatch: boolean): Heard => {
      const one = unanswered(method, path, options, always, isWatch);
      heard.push(one);
      return one;
    };
    return {
      send: async (method, path, options = {}) => {
        const one = begin(method, path, options, false);
        const answer = await client.send(method, path, options).catch(failed(one, options.signal));
        return answered(one, answer);
      },
      open: async (path, options) => {
        const one = begin('GET', path, options, true);
        const answer = await client.open(path, options).catch(failed(one, options.signal));
        Object.assign(one, { at: Date.now(), status: answer.status, answerHeaders: answer.headers });
        return answer.status === 101 ? answer : { ...answer, stream: overheard(answer.stream, one.chunks) };
      },
    } satisfies Client;
  };
  return { witness, heard };
}

const unanswered = (
  method: string,
  path: string,
  { query, headers, body, credentials }: SendOptions,
  always: SentHeaders,
  isWatch: boolean,
): Heard => {
  const [bare = '', asked = ''] = `${path}${queryText(query)}`.split(/\?(.*)/s);
  return {
    method,
    path: bare,
    query: asked,
    headers: { ...(credentials === false ? {} : always), ...headers },
    body: bytesOf(body),
    isWatch: isWatch || (method === 'GET' && /^(1|true)$/.test(new URLSearchParams(asked).get('watch') ?? '')),
    ...{ at: 0, status: 0, answerHeaders: {}, warnings: [], chunks: [] },
  };
};

function bytesOf(body: unknown): Buffer {
  if (Buffer.isBuffer(body)) return body;
  return Buffer.from(body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body));
}

function answered(one: Heard, answer: Answer): Answer {
  const { status, headers, bytes } = answer;
  one.chunks.push(bytes);
  Object.assign(one, { at: Date.now(), status, answerHeaders: headers, warnings: answer.all('warning') });
  return answer;
}

/** What the rule itself gave up was not answered. */
const failed =
  (one: Heard, signal?: AbortSignal) =>
  (error: unknown): never => {
    if (!signal?.aborted)
      Object.assign(one, { at: Date.now(), failure: error instanceof Error ? error.message : String(error) });
    throw error;
  };

/** The same stream, of which what passes is kept. */
function overheard(stream: Readable, chunks: Buffer[]): Readable {
  let length = 0;
  const ear = new Transform({
    transform(chunk: Buffer, _, done) {
      length += chunk.length;
      if (length <= longestStream) chunks.push(chunk);
      done(null, chunk);
    },
  });
  // How it ends is told to who reads it.
  return pipeline(stream, ear, () => undefined);
}
