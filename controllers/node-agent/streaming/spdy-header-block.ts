import { constants, createDeflate, createInflate } from 'node:zlib';

/** What both sides prime their compression with (SPDY/3, 2.6.10.1): names with their lengths, then usual values. */
const dictionary = Buffer.concat([
  ...(
    'options head post put delete trace accept accept-charset accept-encoding accept-language accept-ranges age allow ' +
    'authorization cache-control connection content-base content-encoding content-language content-length ' +
    'content-location content-md5 content-range content-type date etag expect expires from host if-match ' +
    'if-modified-since if-none-match if-range if-unmodified-since last-modified location max-forwards pragma ' +
    'proxy-authenticate proxy-authorization range referer retry-after server te trailer transfer-encoding upgrade ' +
    'user-agent vary via warning www-authenticate method get status'
  )
    .split(' ')
    .map(withLength),
  ...['200 OK', 'version', 'HTTP/1.1', 'url', 'public', 'set-cookie', 'keep-alive', 'origin'].map(withLength),
  Buffer.from(
    '100101201202205206300302303304305306307402405406407408409410411412413414415416417502504505' +
      '203 Non-Authoritative Information204 No Content301 Moved Permanently400 Bad Request401 Unauthorized' +
      '403 Forbidden404 Not Found500 Internal Server Error501 Not Implemented503 Service Unavailable' +
      'Jan Feb Mar Apr May Jun Jul Aug Sept Oct Nov Dec 00:00:00 Mon, Tue, Wed, Thu, Fri, Sat, Sun, GMT' +
      'chunked,text/html,image/png,image/jpg,image/gif,application/xml,application/xhtml+xml,text/plain,' +
      'text/javascript,publicprivatemax-age=gzip,deflate,sdchcharset=utf-8charset=iso-8859-1,utf-,*,enq=0.',
  ),
]);

function withLength(text: string): Buffer {
  const bytes = Buffer.from(text);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}

export type Headers = ReadonlyMap<string, string>;

/** Bytes that the headers of one frame may grow to. */
const mostBytes = 64 * 1024;
const sync = constants.Z_SYNC_FLUSH;

/** Reads and writes the header blocks of one connection, one at a time: each builds on those before it. */
export class HeaderBlocks {
  readonly #inflate = createInflate({ dictionary, flush: sync, finishFlush: sync });
  readonly #deflate = createDeflate({ dictionary, flush: sync });

  constructor() {
    // Who reads a block is told; once nobody does, a failure is nobody's.
    this.#inflate.on('error', () => {});
  }

  /** @throws Error when the block is none, or too large */
  async read(block: Buffer): Promise<Headers> {
    return parse(await through(this.#inflate, block));
  }

  write(headers: Headers): Promise<Buffer> {
    return through(this.#deflate, format(headers));
  }

  close(): void {
    this.#inflate.close();
    this.#deflate.close();
  }
}

function through(stream: ReturnType<typeof createInflate>, input: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const done = (error?: Error | null) => {
      stream.off('data', take);
      stream.off('error', done);
      if (error) reject(error);
      else resolve(Buffer.concat(chunks));
    };
    const take = (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.length;
      if (size > mostBytes) stream.destroy(new Error(`headers of more than ${mostBytes} bytes`));
    };
    stream.on('data', take);
    stream.on('error', done);
    stream.write(input, done);
  });
}

function parse(bytes: Buffer): Headers {
  const headers = new Map<string, string>();
  let at = 0;
  const number = () => {
    at += 4;
    return bytes.readUInt32BE(at - 4);
  };
  const text = () => {
    const length = number();
    if (length > bytes.length - at) throw new Error('a header that is longer than its block');
    at += length;
    return bytes.toString('latin1', at - length, at);
  };
  for (let left = number(); left > 0; left--) headers.set(text().toLowerCase(), text());
  return headers;
}

function format(headers: Headers): Buffer {
  const count = Buffer.alloc(4);
  count.writeUInt32BE(headers.size);
  return Buffer.concat([count, ...[...headers].flatMap(([name, value]) => [withLength(name), withLength(value)])]);
}
