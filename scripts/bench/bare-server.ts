import { createServer } from 'node:https';
import { generated } from '../../server/certificates/serving-certificate.ts';
import { tellUse } from './measured-process.ts';

/**
 * The yardstick: a Node TLS server that does nothing but read the body and answer bytes it was given. `POST /set/{path}`
 * keeps a body as the answer of a path; a watch path streams a line again and again when told to.
 */
tellUse();
const { certificate, key } = generated(['127.0.0.1']);
const answers = new Map<string, Buffer>();
const watchers = new Set<import('node:http').ServerResponse>();

const server = createServer({ cert: certificate, key }, (request, response) => {
  const url = request.url ?? '';
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const body = Buffer.concat(chunks);
    if (url.startsWith('/set/')) answers.set(url.slice(4), body);
    if (url === '/watch') {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.flushHeaders();
      watchers.add(response);
      return;
    }
    if (url === '/event') for (const watcher of watchers) watcher.write(body);
    const answer = answers.get(url) ?? body;
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': answer.length });
    response.end(answer);
  });
});
server.listen(0, '127.0.0.1', () =>
  process.send?.({ url: `https://127.0.0.1:${(server.address() as { port: number }).port}` }),
);
