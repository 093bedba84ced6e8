import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What both proxies lead to: `/N` is an answer of N bytes, a body comes back as it is. */
const answers = new Map<string, Buffer>();

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const url = request.url ?? '';
    const size = Number(/\d+/.exec(url)?.[0] ?? 0);
    if (!answers.has(url)) answers.set(url, Buffer.alloc(size, 'x'));
    const answer = request.method === 'GET' ? answers.get(url) : Buffer.concat(chunks);
    response.writeHead(200, { 'content-type': 'text/plain', 'content-length': answer?.length ?? 0 });
    response.end(answer);
  });
});
server.listen(0, '127.0.0.1', () =>
  process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }),
);
