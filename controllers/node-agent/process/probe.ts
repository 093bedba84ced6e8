import { connect } from 'node:net';
import type { Container } from './fields.ts';

export type Probe = NonNullable<Container['livenessProbe']>;
type HttpGet = NonNullable<Probe['httpGet']>;
type TcpSocket = NonNullable<Probe['tcpSocket']>;

const http = process.getBuiltinModule('node:http');
const https = process.getBuiltinModule('node:https');

/** What a probe asks: undefined when all is well, else what is not. */
export interface Asker {
  /** Runs a command beside the container; its exit code. */
  readonly exec: (command: readonly string[], signal: AbortSignal) => Promise<number>;
  /** The port of a number or of a name that the container gives it. */
  readonly portOf: (port: string | number) => number;
}

/** Everything listens on this machine. */
const here = '127.0.0.1';

/** Asks once, for at most `timeoutSeconds`. Never throws. */
export async function ask(probe: Probe, asker: Asker): Promise<string | undefined> {
  const signal = AbortSignal.timeout((probe.timeoutSeconds ?? 1) * 1000);
  try {
    if (probe.exec) {
      const code = await asker.exec(probe.exec.command ?? [], signal);
      return code === 0 ? undefined : `command exited with ${code}`;
    }
    if (probe.httpGet) return await getOnce(probe.httpGet, asker, signal);
    const port = probe.tcpSocket?.port ?? probe.grpc?.port;
    return port === undefined ? undefined : await connectOnce({ port }, asker, signal);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Whatever answers with a code from 200 to 399 is well. */
export const getOnce = (
  { scheme, port, path = '/', httpHeaders = [], host }: HttpGet,
  { portOf }: Pick<Asker, 'portOf'>,
  signal: AbortSignal,
): Promise<string | undefined> =>
  new Promise((resolve, reject) => {
    const headers = Object.fromEntries(httpHeaders.map(({ name, value }) => [name, value]));
    const place = { host: host ?? here, port: portOf(port), path: path.startsWith('/') ? path : `/${path}` };
    const options = { ...place, headers, signal, agent: false as const };
    const request =
      scheme === 'HTTPS' ? https.request({ ...options, rejectUnauthorized: false }) : http.request(options);
    request.on('error', reject);
    request.on('response', (response) => {
      response.destroy();
      const code = response.statusCode ?? 0;
      resolve(code >= 200 && code < 400 ? undefined : `HTTP probe failed with statuscode: ${code}`);
    });
    request.end();
  });

const connectOnce = ({ port, host }: TcpSocket, { portOf }: Asker, signal: AbortSignal): Promise<string | undefined> =>
  new Promise((resolve, reject) => {
    const socket = connect(portOf(port), host ?? here, () => {
      socket.destroy();
      resolve(undefined);
    });
    const end = () => socket.destroy(new Error('timeout'));
    signal.addEventListener('abort', end);
    socket.on('close', () => signal.removeEventListener('abort', end));
    socket.on('error', reject);
  });
