import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Dispatcher, Pool } from 'undici';
import { tellUse } from './measured-process.ts';

/** The yardstick of the ingress controller: sends all to one place, whatever it is, by the fastest way undici has. */
tellUse();
const pool = new Pool(process.argv[2] ?? '', { connections: 256, pipelining: 1 });

const server = createServer((request, response) => {
  const { url = '/', method = 'GET', headers } = request;
  const { connection: _, 'transfer-encoding': __, ...sent } = headers;
  const options = {
    ...{ path: url, method: method as Dispatcher.HttpMethod, headers: sent },
    body: method === 'GET' ? null : request,
  };
  pool
    .stream(options, ({ statusCode, headers: answered }) => {
      const { connection: ___, 'keep-alive': ____, ...kept } = answered;
      return response.writeHead(statusCode, kept);
    })
    .catch(() => response.destroy());
});
server.listen(0, '127.0.0.1', () =>
  process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }),
);
