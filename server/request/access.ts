import type { X509Certificate } from 'node:crypto';
import type { TLSSocket } from 'node:tls';
import { readBearer } from '../authn/authentication.ts';
import type { Credentials } from '../authn/authenticator.ts';
import type { Action, Decision } from '../authz/authorizer.ts';
import { refusal } from '../authz/refusal.ts';
import { perObject } from '../base/caches/memo.ts';
import { badRequest } from '../base/status-error.ts';
import type { User } from '../base/user.ts';
import { plainText } from './answer/respond.ts';
import { sourceAddresses } from './audit/source-addresses.ts';
import type { Exchange, Incoming } from './exchange.ts';
import { impersonate } from './impersonate.ts';
import { Query } from './query.ts';
import type { RequestServices } from './services.ts';
import type { Stage } from './stage.ts';

const brokenEscape = /%(?![0-9a-fA-F]{2})/;

/** Numbers with units, such as `1m30s`; zero needs none. */
const duration = /^[+-]?(?:0|(?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|\u00b5s|\u03bcs|ms|s|m|h))+)$/;

const connecting: readonly string[] = ['attach', 'exec', 'portforward', 'proxy', 'log'];

/** What is wrong with a request whoever sends it. @throws 400 for a timeout that is no duration */
export const wellFormed: Stage = ({ info, incoming, noticed }) => {
  // A balancer before us may have believed the other one.
  if (noticed.hosts > 1 && incoming.httpVersionMajor === 1) {
    const refusal = plainText(400, '400 Bad Request: too many Host headers');
    return { ...refusal, headers: { connection: 'close' } };
  }
  if (info.path.includes('%') && brokenEscape.test(info.path)) return plainText(400, '400 Bad Request');
  if (info.query === Query.empty) return undefined;
  const timeout = info.query.text('timeout');
  // What lasts has no such limit.
  if (!timeout || info.verb === 'watch' || connecting.includes(info.subresource)) return undefined;
  if (!duration.test(timeout)) throw badRequest('invalid timeout specified in the request URL');
  return undefined;
};

/** The request as authenticators see it. Nothing is worked out before it is asked for. */
function credentialsOf({ incoming }: Exchange, bearerToken: string | undefined): Credentials {
  const raw = incoming.rawHeaders;
  return {
    header(name) {
      const values: string[] = [];
      for (let i = 0; i < raw.length; i += 2) if (raw[i]?.toLowerCase() === name) values.push(raw[i + 1] ?? '');
      return values;
    },
    *headerNames() {
      for (let i = 0; i < raw.length; i += 2) yield (raw[i] ?? '').toLowerCase();
    },
    bearerToken,
    peerCertificates: () => peerCertificates(incoming),
  };
}

/** The chain that a connection showed; read once, so that what was found out about a certificate can be remembered. */
function peerCertificates(incoming: Incoming): readonly X509Certificate[] {
  const socket = ('stream' in incoming ? incoming.stream.session?.socket : incoming.socket) as TLSSocket | undefined;
  return socket ? chainOf(socket) : [];
}

const chainOf = perObject((socket: TLSSocket): readonly X509Certificate[] => {
  const chain: X509Certificate[] = [];
  let next = socket.getPeerX509Certificate?.();
  // A chain that names itself as its issuer would never end.
  while (next && chain.length < 10 && !chain.some((each) => each.fingerprint256 === next?.fingerprint256)) {
    chain.push(next);
    next = next.issuerCertificate;
  }
  return chain;
});

/** Who is it? @throws 401 */
export const authenticate: Stage = (exchange, services) => {
  const { token, warning } = readBearer(exchange.noticed.authorization);
  if (warning) exchange.warn(warning);
  const refused = (error: unknown): never => {
    beginAudit(exchange, services, undefined);
    throw error;
  };
  try {
    const user = services.authentication.authenticate(credentialsOf(exchange, token));
    if (user instanceof Promise) return user.then((known) => meet(exchange, services, known), refused);
    exchange.user = user;
  } catch (error) {
    return refused(error);
  }
  if (services.auditor) beginAudit(exchange, services, exchange.user);
  return undefined;
};

function meet(exchange: Exchange, services: RequestServices, user: User): undefined {
  exchange.user = user;
  beginAudit(exchange, services, user);
}

function beginAudit(exchange: Exchange, { auditor }: RequestServices, user: User | undefined): void {
  if (!auditor) return;
  const { info, incoming } = exchange;
  exchange.audit = auditor.begin({
    ...info,
    user,
    uri: incoming.url ?? '',
    userAgent: exchange.userAgent,
    sourceIPs: sourceAddresses(incoming.headers, incoming.socket?.remoteAddress ?? ''),
    receivedAt: exchange.receivedAt,
    auditId: exchange.auditId,
  });
}

/** Acts for somebody else, where the request asks for that and the caller may. @throws 400, 403 */
export const impersonating: Stage = (exchange, services) =>
  exchange.noticed.impersonates ? actForAnother(exchange, services) : undefined;

async function actForAnother(exchange: Exchange, { authorizer }: RequestServices): Promise<undefined> {
  const user = await impersonate(credentialsOf(exchange, undefined), exchange.user, authorizer);
  if (!user) return undefined;
  exchange.impersonator = exchange.user;
  exchange.user = user;
  return undefined;
}

/** May the user do that? */
export const authorize: Stage = (exchange, { authorizer }) => {
  const { isResource, path, verb, group, version, resource, subresource, namespace, name } = exchange.info;
  const action: Action = isResource
    ? { type: 'resource', verb, group, version, resource, subresource, namespace, name }
    : { type: 'path', verb, path };
  const decided = authorizer.authorize(exchange.user, action);
  if (decided instanceof Promise) return decided.then((decision) => goOnIf(decision, exchange, action));
  return decided.decision === 'allow' && !exchange.audit ? undefined : goOnIf(decided, exchange, action);
};

/** @throws 403 */
function goOnIf({ decision, reason }: Decision, exchange: Exchange, action: Action): undefined {
  if (exchange.audit) {
    const { annotations } = exchange;
    annotations.set('authorization.k8s.io/decision', decision === 'allow' ? 'allow' : 'forbid');
    annotations.set('authorization.k8s.io/reason', reason);
  }
  if (decision !== 'allow') throw refusal(exchange.user, action, reason);
  return undefined;
}
