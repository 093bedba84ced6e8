import { readFileSync } from 'node:fs';
import { hostInUrl } from '../host-in-url.ts';
import type { Authentication } from './authn/index.ts';
import { lazily } from './base/caches/memo.ts';
import { followFiles } from './base/files/follow-file.ts';
import { pause, systemTimers } from './base/time/timers.ts';
import { askForCertificates } from './certificates/client-certificates.ts';
import { namedFiles, readNamedPairs } from './certificates/named-certificates.ts';
import { generated, keptPair, type ServingPair } from './certificates/serving-certificate.ts';
import { FaultError } from './faults/fault.ts';
import type { Faults } from './faults/faults.ts';
import type { ServerOptions } from './options/options.ts';
import { answering } from './request/chain.ts';
import type { Entrance } from './request/exchange.ts';
import { type HttpServer, listen } from './request/http/http-server.ts';
import type { RequestListener } from './request/http/request-listener.ts';
import type { NamedPairs } from './request/http/shown-certificates.ts';
import type { Life } from './request/life.ts';
import type { RecentRequests } from './request/recent-requests.ts';
import type { RequestServices } from './request/services.ts';
import { makeUi } from './ui/ui.ts';
import { type KeyPair, makeSigned } from './x509/self-signed.ts';

/** The server's side of the network. */
export interface Door {
  readonly url: string;
  /** PEM that clients verify the server with. */
  readonly certificateAuthority: string;
  /** Shows new connections a certificate that is over, or the good one. @throws FaultError for one that the user named */
  showCertificate(which: 'expired' | 'good'): void;
  /** Says that the server is not ready any more, while all goes on. Resolves after the time that clients get to notice. */
  announceEnd(): Promise<void>;
  /** Ends in good order, announced or not. */
  close(): Promise<void>;
}

interface DoorParts {
  readonly options: ServerOptions;
  readonly authentication: Authentication;
  readonly services: RequestServices;
  readonly life: Life;
  readonly faults: Faults;
  /** Remembers requests; missing: nobody does. */
  readonly recent?: RecentRequests;
}

/** How long a request may be on its way that was sent before its client could know of the end, in milliseconds. */
const arrivesWithin = 15;

/** How long requests that run when the server stops may take to finish, in milliseconds. */
const finishWithin = 10_000;

/** Takes the port and answers what comes. @throws Error when the port is taken or a file cannot be read */
export async function openDoor(parts: DoorParts): Promise<Door> {
  const { options, services, authentication, life } = parts;
  let keyPair = keyPairOf(options);
  const entrance = { isClosing: false };
  const http = await listenAs(keyPair, parts, entrance);
  const stopFollowing = followPairs(options, {
    own(renewed) {
      http.setCertificate(renewed);
      keyPair = renewed;
    },
    named: (renewed) => http.setNamed(renewed),
  });
  authentication.onAuthoritiesChanged(() => http.setClientAuthorities(authentication.clientAuthorities()));
  const announceEnd = lazily(() => life.end(options.shutdownDelayDuration));
  return {
    url: `https://${hostInUrl(options.bindAddress)}:${http.port}`,
    certificateAuthority: (keyPair.authority ?? keyPair).certificate,
    showCertificate: (which) =>
      http.setCertificate(which === 'good' ? keyPair : expiredCertificate(options, keyPair.authority)),
    announceEnd,
    async close() {
      stopFollowing();
      await announceEnd();
      entrance.isClosing = true;
      await endConnections(http, services);
    },
  };
}

function listenAs(keyPair: KeyPair, parts: DoorParts, entrance: Entrance): Promise<HttpServer> {
  const { options, authentication } = parts;
  return listen({
    address: options.bindAddress,
    port: options.securePort,
    tls: {
      cert: keyPair.certificate,
      key: keyPair.key,
      minVersion: options.tlsMinVersion === 'VersionTLS13' ? 'TLSv1.3' : 'TLSv1.2',
      ...askForCertificates(authentication.clientAuthorities()),
    },
    isLast: () => Math.random() < options.goawayChance,
    named: readNamedPairs(options.tlsSniCertKey),
    listener: listenerOf(parts, entrance),
  });
}

/** What meets a request: faults first, then the page, then the API. */
function listenerOf({ options, services, faults, recent }: DoorParts, entrance: Entrance): RequestListener {
  const api = answering(services, entrance, recent);
  const listener = options.ui ? behind(makeUi(), api) : api;
  if (!options.faults) return listener;
  return (incoming, outgoing, upgrade) => faults.meet(incoming, outgoing, () => listener(incoming, outgoing, upgrade));
}

/** Requests finish, watches end, connections close. */
async function endConnections(http: HttpServer, services: RequestServices): Promise<void> {
  http.announceEnd();
  // What is on its way already is answered yet.
  await pause(systemTimers, arrivesWithin);
  http.stopAccepting();
  services.watches.stop();
  services.backends.stop();
  await requestsDone(services);
  http.destroy();
}

/** The page's own files come first. */
const behind =
  (ui: ReturnType<typeof makeUi>, answer: RequestListener): RequestListener =>
  (incoming, outgoing, upgrade) => {
    if (!ui(incoming, outgoing)) answer(incoming, outgoing, upgrade);
  };

const day = 86_400_000;

/** Signed as the good one is, so that a client finds nothing else to object to. */
function expiredCertificate({ bindAddress }: ServerOptions, issuer: KeyPair | undefined): KeyPair {
  if (!issuer) throw new FaultError('only a generated certificate can expire, not that of --tls-cert-file');
  const now = Date.now();
  return makeSigned(hostsOf(bindAddress), issuer, new Date(now - 2 * day), new Date(now - day));
}

const hostsOf = (bindAddress: string) => [
  ...new Set(['localhost', '127.0.0.1', '::1', 'kubernetes.default.svc', bindAddress]),
];

/** Without an authority it is the user's own. */
type OwnPair = KeyPair & Partial<ServingPair>;

function keyPairOf(options: ServerOptions): OwnPair {
  const { tlsCertFile, tlsPrivateKeyFile, certDir, bindAddress } = options;
  if (tlsCertFile && tlsPrivateKeyFile) {
    return { certificate: readFileSync(tlsCertFile, 'utf8'), key: readFileSync(tlsPrivateKeyFile, 'utf8') };
  }
  const hosts = hostsOf(bindAddress);
  return certDir ? keptPair(certDir, hosts) : generated(hosts);
}

interface Takers {
  own(renewed: OwnPair): void;
  named(renewed: NamedPairs): void;
}

/** Takes what is in the files of the user's own certificates whenever that changed; what will not do is passed over. */
function followPairs(options: ServerOptions, take: Takers): () => void {
  const { tlsCertFile, tlsPrivateKeyFile, tlsSniCertKey } = options;
  const own = tlsCertFile && tlsPrivateKeyFile ? [tlsCertFile, tlsPrivateKeyFile] : [];
  const stops = [
    followFiles(
      own,
      whereGood(() => take.own(keyPairOf(options))),
    ),
    followFiles(
      namedFiles(tlsSniCertKey),
      whereGood(() => take.named(readNamedPairs(tlsSniCertKey))),
    ),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}

const whereGood = (take: () => void) => () => {
  try {
    take();
  } catch {
    // One of the two may be on its way yet: the last good pair stays.
  }
};

async function requestsDone({ open }: RequestServices): Promise<void> {
  const until = performance.now() + finishWithin;
  while (open.size > 0 && performance.now() < until) await pause(systemTimers, 10);
}
