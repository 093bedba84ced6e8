import http from 'node:http';
import { UsageError } from '../../mistyped.ts';
import type { TextMetrics } from './metrics.ts';

/** What is to be told: each check gives what is wrong, or nothing. */
export interface HealthParts {
  readonly metrics: TextMetrics;
  /** Why the process should be restarted. */
  readonly notAlive: () => string | undefined;
  /** Why it does no work yet. */
  readonly notReady: () => string | undefined;
}

/** Serves /metrics, /healthz, /livez and /readyz over plain HTTP. @throws Error when the address is taken, UsageError when it is none */
export async function serveHealth(
  address: string,
  parts: HealthParts,
): Promise<{ readonly url: string; close(): void }> {
  const [, host = '', port = ''] = /^(.*):(\d+)$/.exec(address) ?? [];
  if (!port) throw new UsageError(`--metrics-bind-address: ${JSON.stringify(address)} is not host:port`);
  const server = http.createServer((request, response) => {
    const [code, text, type] = answer(request.url ?? '', parts);
    response.writeHead(code, { 'Content-Type': type ?? 'text/plain; charset=utf-8' }).end(text);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(Number(port), host.replace(/^\[|\]$/g, '') || '127.0.0.1', resolve);
  });
  const bound = server.address();
  const boundPort = bound !== null && typeof bound === 'object' ? bound.port : port;
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://${host || '127.0.0.1'}:${boundPort}`, close };
}

function answer(url: string, { metrics, notAlive, notReady }: HealthParts): readonly [number, string, string?] {
  switch (url.split('?')[0]) {
    case '/metrics':
      return [200, metrics.render(), 'text/plain; version=0.0.4; charset=utf-8'];
    case '/healthz':
    case '/livez':
      return verdict(notAlive());
    case '/readyz':
      return verdict(notAlive() ?? notReady());
    default:
      return [404, 'not found\n'];
  }
}

const verdict = (problem: string | undefined): readonly [number, string] =>
  problem ? [503, `${problem}\n`] : [200, 'ok'];
