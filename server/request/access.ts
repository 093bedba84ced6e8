import type { X509Certificate } from 'node:crypto';
import type { TLSSocket } from 'node:tls';
import type { Credentials } from '../authn/authenticator.ts';
import { readBearer } from '../authn/bearer.ts';
import type { Action } from '../authz/authorizer.ts';
import { refusal } from '../authz/refusal.ts';
import { perObject } from '../base/memo.ts';
import type { User } from '../base/user.ts';
import type { Exchange, Incoming } from './exchange.ts';
import { asksToImpersonate, impersonate } from './impersonate.ts';
import type { RequestServices } from './services.ts';
import type { Stage } from './stage.ts';

/** The request as authenticators see it. Nothing is worked out before it is asked for. */
export function credentialsOf(exchange: Exchange): Credentials {
  const { incoming } = exchange;
  const raw = incoming.rawHeaders;
  const header = (name: string) => {
    const values: string[] = [];
    for (let i = 0; i < raw.length; i += 2) if (raw[i]?.toLowerCase() === name) values.push(raw[i + 1] ?? '');
    return values;
  };
  const { token, warning } = readBearer(header('authorization'));
  if (warning) exchange.warn(warning);
  return {
    header,
    *headerNames() {
      for (let i = 0; i < raw.length; i += 2) yield (raw[i] ?? '').toLowerCase();
    },
    bearerToken: token,
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
export const authenticate: Stage = async (exchange, services) => {
  try {
    exchange.user = await services.authentication.authenticate(credentialsOf(exchange));
  } catch (error) {
    beginAudit(exchange, services, undefined);
    throw error;
  }
  beginAudit(exchange, services, exchange.user);
  return undefined;
};

function beginAudit(exchange: Exchange, { auditor }: RequestServices, user: User | undefined): void {
  if (!auditor) return;
  const { info, incoming } = exchange;
  exchange.audit = auditor.begin({
    ...info,
    user,
    uri: incoming.url ?? '',
    userAgent: exchange.userAgent,
    sourceIPs: [incoming.socket?.remoteAddress ?? ''],
    receivedAt: exchange.receivedAt,
    auditId: exchange.auditId,
  });
}

/** Acts for somebody else, where the request asks for that and the caller may. @throws 400, 403 */
export const impersonating: Stage = async (exchange, { authorizer }) => {
  if (!asksToImpersonate(exchange.incoming.rawHeaders)) return undefined;
  const user = await impersonate(credentialsOf(exchange), exchange.user, authorizer);
  if (!user) return undefined;
  exchange.impersonator = exchange.user;
  exchange.user = user;
  return undefined;
};

/** May the user do that? */
export const authorize: Stage = async (exchange, { authorizer }) => {
  const action = actionOf(exchange);
  const answered = authorizer.authorize(exchange.user, action);
  const { decision, reason } = answered instanceof Promise ? await answered : answered;
  if (exchange.audit) {
    exchange.annotations.set('authorization.k8s.io/decision', decision === 'allow' ? 'allow' : 'forbid');
    exchange.annotations.set('authorization.k8s.io/reason', reason);
  }
  if (decision !== 'allow') throw refusal(exchange.user, action, reason);
  return undefined;
};

export function actionOf({ info }: Exchange): Action {
  if (!info.isResource) return { type: 'path', verb: info.verb, path: info.path };
  const { verb, group, version, resource, subresource, namespace, name } = info;
  return { type: 'resource', verb, group, version, resource, subresource, namespace, name };
}
