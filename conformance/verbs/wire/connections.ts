import { createSecureContext, type SecureContext, type SecureContextOptions } from 'node:tls';
import { Agent, type Dispatcher } from 'undici';
import type { Target } from '../../target/target.ts';
import { trustOf } from './trust.ts';

/** Connections that show the client certificate of the target, and others that show none. */
export interface Agents {
  readonly own: Dispatcher;
  readonly anonymous: Dispatcher;
}

/** Milliseconds that a connection rests before it is closed: they were many only for a moment. */
const rest = 4_000;

/** Connections to one target, shared by all clients of a process. Its certificates are read once, not for each of them. */
export function connect(target: Target): Agent {
  return new Agent({
    connections: 256,
    pipelining: 1,
    allowH2: false,
    keepAliveTimeout: rest,
    // What a server offers is longer, and each connection takes memory on both sides.
    keepAliveMaxTimeout: rest,
    connect: {
      ...(target.url.startsWith('https:') ? identityOf(target) : {}),
      ...(target.serverName ? { servername: target.serverName } : {}),
      rejectUnauthorized: !target.insecure,
      // A busy server lets connections wait; each request has a limit of its own.
      timeout: 30_000,
    },
  });
}

/** Certificates that cannot be read are left as they are: the first connection tells of them. */
function identityOf({
  certificateAuthority,
  clientCertificate,
  clientKey = '',
  insecure,
}: Target): SecureContextOptions & { secureContext?: SecureContext } {
  const identity = {
    ...(insecure ? {} : trustOf(certificateAuthority)),
    ...(clientCertificate ? { cert: clientCertificate, key: clientKey } : {}),
  };
  try {
    return { secureContext: createSecureContext(identity) };
  } catch {
    return identity;
  }
}
